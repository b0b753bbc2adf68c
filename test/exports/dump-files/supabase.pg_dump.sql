--
-- PostgreSQL database dump
--

\restrict zLwwxhNk0XYGh87WYLGq1wjpBkzeIGVAED2z5ytyoRkSL1EXURTlF08PTrHc7zf

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: auth; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA auth;


--
-- Name: factor_status; Type: TYPE; Schema: auth; Owner: -
--

CREATE TYPE auth.factor_status AS ENUM (
    'unverified',
    'verified'
);


--
-- Name: factor_type; Type: TYPE; Schema: auth; Owner: -
--

CREATE TYPE auth.factor_type AS ENUM (
    'totp',
    'webauthn',
    'phone'
);


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: identities; Type: TABLE; Schema: auth; Owner: -
--

CREATE TABLE auth.identities (
    provider_id text NOT NULL,
    user_id uuid NOT NULL,
    identity_data jsonb NOT NULL,
    provider text NOT NULL,
    last_sign_in_at timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    email text GENERATED ALWAYS AS (lower((identity_data ->> 'email'::text))) STORED,
    id uuid DEFAULT gen_random_uuid() NOT NULL
);


--
-- Name: mfa_factors; Type: TABLE; Schema: auth; Owner: -
--

CREATE TABLE auth.mfa_factors (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    friendly_name text,
    factor_type auth.factor_type NOT NULL,
    status auth.factor_status NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    secret text,
    phone text
);


--
-- Name: users; Type: TABLE; Schema: auth; Owner: -
--

CREATE TABLE auth.users (
    instance_id uuid,
    id uuid NOT NULL,
    aud character varying(255),
    role character varying(255),
    email character varying(255),
    encrypted_password character varying(255),
    email_confirmed_at timestamp with time zone,
    invited_at timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    is_super_admin boolean,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    phone text,
    phone_confirmed_at timestamp with time zone,
    confirmed_at timestamp with time zone GENERATED ALWAYS AS (LEAST(email_confirmed_at, phone_confirmed_at)) STORED,
    banned_until timestamp with time zone,
    is_sso_user boolean DEFAULT false NOT NULL,
    deleted_at timestamp with time zone,
    is_anonymous boolean DEFAULT false NOT NULL
);


--
-- Data for Name: identities; Type: TABLE DATA; Schema: auth; Owner: -
--

COPY auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at, id) FROM stdin;
109876543210987654321	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	{"sub": "109876543210987654321", "email": "ada@example.com", "email_verified": true}	google	\N	2024-01-15 10:29:12.5+00	\N	27c3fc39-132f-463a-91ff-bca813f3cc6b
7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	{"sub": "7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11", "email": "ada@example.com"}	email	\N	2024-01-15 10:29:12.5+00	\N	f10639cd-beae-4955-b842-9fe33e66267d
\.


--
-- Data for Name: mfa_factors; Type: TABLE DATA; Schema: auth; Owner: -
--

COPY auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone) FROM stdin;
4e8b9d82-356a-40bd-a881-5efcbc77c9e2	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c14	\N	totp	verified	2026-11-23 22:15:24.866592+00	2026-11-23 22:15:24.866592+00	JBSWY3DPEHPK3PXP	\N
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: auth; Owner: -
--

COPY auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, is_super_admin, created_at, updated_at, phone, phone_confirmed_at, banned_until, is_sso_user, deleted_at, is_anonymous) FROM stdin;
\N	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	\N	\N	ada@example.com	$2a$10$O0gmhBjuEkFObt3sj/c2f.BUc/Is3p9oJdh/LTdggqF1OtVPHDv7m	2024-01-15 10:30:00.123456+00	\N	\N	{"provider": "email", "providers": ["email", "google"]}	{"name": "Ada"}	\N	2024-01-15 10:29:12.5+00	\N	15555550100	2024-01-16 10:30:00+00	\N	f	\N	f
\N	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12	\N	\N	banned@example.com	$2a$10$O0gmhBjuEkFObt3sj/c2f.BUc/Is3p9oJdh/LTdggqF1OtVPHDv7m	2024-01-15 10:30:00+00	\N	\N	{}	{}	\N	2024-01-15 10:29:12.5+00	\N	\N	\N	infinity	f	\N	f
\N	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c14	\N	\N	coded@example.com	$2a$10$O0gmhBjuEkFObt3sj/c2f.BUc/Is3p9oJdh/LTdggqF1OtVPHDv7m	2024-01-15 10:30:00+00	\N	\N	{}	{}	\N	2024-01-15 10:29:12.5+00	\N	\N	\N	\N	f	\N	f
\N	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c13	\N	\N	\N	\N	\N	\N	\N	{}	{}	\N	2024-01-15 10:29:12.5+00	\N	\N	\N	\N	f	\N	t
\.


--
-- Name: identities identities_pkey; Type: CONSTRAINT; Schema: auth; Owner: -
--

ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);


--
-- Name: identities identities_provider_id_provider_key; Type: CONSTRAINT; Schema: auth; Owner: -
--

ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_provider_id_provider_key UNIQUE (provider_id, provider);


--
-- Name: mfa_factors mfa_factors_pkey; Type: CONSTRAINT; Schema: auth; Owner: -
--

ALTER TABLE ONLY auth.mfa_factors
    ADD CONSTRAINT mfa_factors_pkey PRIMARY KEY (id);


--
-- Name: users users_phone_key; Type: CONSTRAINT; Schema: auth; Owner: -
--

ALTER TABLE ONLY auth.users
    ADD CONSTRAINT users_phone_key UNIQUE (phone);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: auth; Owner: -
--

ALTER TABLE ONLY auth.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: identities identities_user_id_fkey; Type: FK CONSTRAINT; Schema: auth; Owner: -
--

ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;


--
-- Name: mfa_factors mfa_factors_user_id_fkey; Type: FK CONSTRAINT; Schema: auth; Owner: -
--

ALTER TABLE ONLY auth.mfa_factors
    ADD CONSTRAINT mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;


--
-- Name: identities; Type: ROW SECURITY; Schema: auth; Owner: -
--

ALTER TABLE auth.identities ENABLE ROW LEVEL SECURITY;

--
-- Name: mfa_factors; Type: ROW SECURITY; Schema: auth; Owner: -
--

ALTER TABLE auth.mfa_factors ENABLE ROW LEVEL SECURITY;

--
-- Name: users; Type: ROW SECURITY; Schema: auth; Owner: -
--

ALTER TABLE auth.users ENABLE ROW LEVEL SECURITY;

--
-- PostgreSQL database dump complete
--

\unrestrict zLwwxhNk0XYGh87WYLGq1wjpBkzeIGVAED2z5ytyoRkSL1EXURTlF08PTrHc7zf

