--
-- PostgreSQL database dump
--

\restrict 60u0LblTBCmRfR5ATkqQ8ORDt4Z0deNb3pmOMEKOMN2E3L8mUfklLqnY8t5Eowf

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

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: identities; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identities (
    id uuid NOT NULL,
    schema_id character varying(2048) NOT NULL,
    traits jsonb NOT NULL,
    created_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL,
    nid uuid NOT NULL,
    state character varying(255) DEFAULT 'active'::character varying NOT NULL,
    state_changed_at timestamp without time zone,
    metadata_public jsonb,
    metadata_admin jsonb,
    external_id character varying(64)
);


--
-- Name: identity_credential_identifiers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identity_credential_identifiers (
    id uuid NOT NULL,
    identifier character varying(255) NOT NULL,
    identity_credential_id uuid NOT NULL,
    created_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL,
    nid uuid NOT NULL,
    identity_credential_type_id uuid NOT NULL
);


--
-- Name: identity_credential_types; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identity_credential_types (
    id uuid NOT NULL,
    name character varying(32) NOT NULL
);


--
-- Name: identity_credentials; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identity_credentials (
    id uuid NOT NULL,
    config jsonb NOT NULL,
    identity_credential_type_id uuid NOT NULL,
    identity_id uuid NOT NULL,
    created_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL,
    nid uuid NOT NULL,
    version integer DEFAULT 0 NOT NULL
);


--
-- Name: identity_verifiable_addresses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identity_verifiable_addresses (
    id uuid NOT NULL,
    status character varying(16) NOT NULL,
    via character varying(16) NOT NULL,
    verified boolean NOT NULL,
    value character varying(400) NOT NULL,
    verified_at timestamp without time zone,
    identity_id uuid NOT NULL,
    created_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL,
    nid uuid
);


--
-- Name: networks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.networks (
    id uuid NOT NULL,
    created_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL
);


--
-- Data for Name: identities; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.identities (id, schema_id, traits, created_at, updated_at, nid, state, state_changed_at, metadata_public, metadata_admin, external_id) FROM stdin;
7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12	default	{"email": "inactive@example.com"}	2024-01-01 00:00:00	2024-01-01 00:00:00	00000000-0000-0000-0000-00000000000a	inactive	\N	\N	\N	\N
7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	default	{"name": "O'Hara \\\\\\\\N \\"x\\" \\n 👩‍💻", "email": "ada@example.com"}	2024-01-01 00:00:00	2024-01-01 00:00:00	00000000-0000-0000-0000-00000000000a	active	\N	{"plan": "pro"}	\N	\N
\.


--
-- Data for Name: identity_credential_identifiers; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.identity_credential_identifiers (id, identifier, identity_credential_id, created_at, updated_at, nid, identity_credential_type_id) FROM stdin;
00000000-0000-0000-0000-000000000011	ada@example.com	00000000-0000-0000-0000-000000000001	2026-11-23 21:59:25.783544	2026-11-23 21:59:25.783544	00000000-0000-0000-0000-00000000000a	00000000-0000-0000-0000-0000000000c1
00000000-0000-0000-0000-000000000012	ada	00000000-0000-0000-0000-000000000001	2026-11-23 21:59:25.783544	2026-11-23 21:59:25.783544	00000000-0000-0000-0000-00000000000a	00000000-0000-0000-0000-0000000000c1
00000000-0000-0000-0000-000000000013	google:109876543210987654321	00000000-0000-0000-0000-000000000002	2026-11-23 21:59:25.783544	2026-11-23 21:59:25.783544	00000000-0000-0000-0000-00000000000a	00000000-0000-0000-0000-0000000000c2
\.


--
-- Data for Name: identity_credential_types; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.identity_credential_types (id, name) FROM stdin;
00000000-0000-0000-0000-0000000000c1	password
00000000-0000-0000-0000-0000000000c2	oidc
\.


--
-- Data for Name: identity_credentials; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.identity_credentials (id, config, identity_credential_type_id, identity_id, created_at, updated_at, nid, version) FROM stdin;
00000000-0000-0000-0000-000000000001	{"hashed_password": "$argon2id$v=19$m=131072,t=3,p=4$MSU4TiGgCxveOXKSbFqA6A$maMO9kIJ0iGGzaRu5k0FRIhe/aV21iu+kvWZRIgCd/A"}	00000000-0000-0000-0000-0000000000c1	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	2026-11-23 21:59:25.783048	2026-11-23 21:59:25.783048	00000000-0000-0000-0000-00000000000a	0
00000000-0000-0000-0000-000000000002	{"providers": [{"subject": "109876543210987654321", "provider": "google"}]}	00000000-0000-0000-0000-0000000000c2	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	2026-11-23 21:59:25.783048	2026-11-23 21:59:25.783048	00000000-0000-0000-0000-00000000000a	0
00000000-0000-0000-0000-000000000003	{"hashed_password": "$argon2id$v=19$m=131072,t=3,p=4$MSU4TiGgCxveOXKSbFqA6A$maMO9kIJ0iGGzaRu5k0FRIhe/aV21iu+kvWZRIgCd/A"}	00000000-0000-0000-0000-0000000000c1	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12	2026-11-23 21:59:25.783048	2026-11-23 21:59:25.783048	00000000-0000-0000-0000-00000000000a	0
\.


--
-- Data for Name: identity_verifiable_addresses; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.identity_verifiable_addresses (id, status, via, verified, value, verified_at, identity_id, created_at, updated_at, nid) FROM stdin;
00000000-0000-0000-0000-000000000021	completed	email	t	ada@example.com	\N	7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11	2026-11-23 21:59:25.78383	2026-11-23 21:59:25.78383	\N
\.


--
-- Data for Name: networks; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.networks (id, created_at, updated_at) FROM stdin;
00000000-0000-0000-0000-00000000000a	2026-11-23 21:59:25.780149	2026-11-23 21:59:25.780149
\.


--
-- Name: identities identities_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);


--
-- Name: identity_credential_identifiers identity_credential_identifiers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_credential_identifiers
    ADD CONSTRAINT identity_credential_identifiers_pkey PRIMARY KEY (id);


--
-- Name: identity_credential_types identity_credential_types_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_credential_types
    ADD CONSTRAINT identity_credential_types_pkey PRIMARY KEY (id);


--
-- Name: identity_credentials identity_credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_credentials
    ADD CONSTRAINT identity_credentials_pkey PRIMARY KEY (id);


--
-- Name: identity_verifiable_addresses identity_verifiable_addresses_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_verifiable_addresses
    ADD CONSTRAINT identity_verifiable_addresses_pkey PRIMARY KEY (id);


--
-- Name: networks networks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.networks
    ADD CONSTRAINT networks_pkey PRIMARY KEY (id);


--
-- Name: identities identities_nid_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_nid_fkey FOREIGN KEY (nid) REFERENCES public.networks(id);


--
-- Name: identity_credential_identifiers identity_credential_identifiers_identity_credential_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_credential_identifiers
    ADD CONSTRAINT identity_credential_identifiers_identity_credential_id_fkey FOREIGN KEY (identity_credential_id) REFERENCES public.identity_credentials(id) ON DELETE CASCADE;


--
-- Name: identity_credentials identity_credentials_identity_credential_type_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_credentials
    ADD CONSTRAINT identity_credentials_identity_credential_type_id_fkey FOREIGN KEY (identity_credential_type_id) REFERENCES public.identity_credential_types(id);


--
-- Name: identity_credentials identity_credentials_identity_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_credentials
    ADD CONSTRAINT identity_credentials_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES public.identities(id) ON DELETE CASCADE;


--
-- Name: identity_verifiable_addresses identity_verifiable_addresses_identity_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_verifiable_addresses
    ADD CONSTRAINT identity_verifiable_addresses_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES public.identities(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict 60u0LblTBCmRfR5ATkqQ8ORDt4Z0deNb3pmOMEKOMN2E3L8mUfklLqnY8t5Eowf

