--
-- PostgreSQL database dump
--

\restrict hlgc1TpDY2yNE2Q4G0x0CM8hsUXVgY9ZrKhfMFcS5Xfyo7ZNzHnzbtrqlzw7aTA

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
-- Name: client; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.client (
    id character varying(36) NOT NULL,
    client_id character varying(255),
    realm_id character varying(36)
);


--
-- Name: credential; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credential (
    id character varying(36) NOT NULL,
    salt bytea,
    type character varying(255),
    user_id character varying(36),
    created_date bigint,
    user_label character varying(255),
    secret_data text,
    credential_data text,
    priority integer
);


--
-- Name: federated_identity; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.federated_identity (
    identity_provider character varying(255) NOT NULL,
    realm_id character varying(36),
    federated_user_id character varying(255),
    federated_username character varying(255),
    token text,
    user_id character varying(36) NOT NULL
);


--
-- Name: keycloak_group; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.keycloak_group (
    id character varying(36) NOT NULL,
    name character varying(255),
    parent_group character varying(36) NOT NULL,
    realm_id character varying(36)
);


--
-- Name: keycloak_role; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.keycloak_role (
    id character varying(36) NOT NULL,
    client_realm_constraint character varying(255),
    client_role boolean DEFAULT false NOT NULL,
    description character varying(255),
    name character varying(255),
    realm_id character varying(255),
    client character varying(36),
    realm character varying(36)
);


--
-- Name: realm; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.realm (
    id character varying(36) NOT NULL,
    name character varying(255),
    enabled boolean DEFAULT false NOT NULL
);


--
-- Name: user_attribute; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_attribute (
    name character varying(255) NOT NULL,
    value character varying(255),
    user_id character varying(36) NOT NULL,
    id character varying(36) DEFAULT 'sybase-needs-something-here'::character varying NOT NULL,
    long_value_hash bytea,
    long_value_hash_lower_case bytea,
    long_value text
);


--
-- Name: user_entity; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_entity (
    id character varying(36) NOT NULL,
    email character varying(255),
    email_constraint character varying(255),
    email_verified boolean DEFAULT false NOT NULL,
    enabled boolean DEFAULT false NOT NULL,
    federation_link character varying(255),
    first_name character varying(255),
    last_name character varying(255),
    realm_id character varying(255),
    username character varying(255),
    created_timestamp bigint,
    service_account_client_link character varying(255),
    not_before integer DEFAULT 0 NOT NULL
);


--
-- Name: user_group_membership; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_group_membership (
    group_id character varying(36) NOT NULL,
    user_id character varying(36) NOT NULL,
    membership_type character varying(255)
);


--
-- Name: user_required_action; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_required_action (
    user_id character varying(36) NOT NULL,
    required_action character varying(255) DEFAULT ' '::character varying NOT NULL
);


--
-- Name: user_role_mapping; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_role_mapping (
    role_id character varying(255) NOT NULL,
    user_id character varying(36) NOT NULL
);


--
-- Data for Name: client; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.client VALUES ('c1', 'app', 'r1');


--
-- Data for Name: credential; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.credential VALUES ('p1', NULL, 'password', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', NULL, NULL, '{"value":"SsrRS+iiBjp+wjy5uJneIniBryY7NyxromvRlZ34Ems=","salt":"XUgTeW4ExwC5iYTZSP61FA==","additionalParameters":{}}', '{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}', 10);
INSERT INTO public.credential VALUES ('p2', NULL, 'password', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a02', NULL, NULL, '{"value":"v56e67Um9CJfBlMNEzfAyWP3YXYlWWLN6F2WYBY47TN5TkNIhW+zOdwIrSqcSMbzvNMYLK53oFlq7drMmy/39g==","salt":"XUgTeW4ExwC5iYTZSP61FA==","additionalParameters":{}}', '{"hashIterations":210000,"algorithm":"pbkdf2-sha512","additionalParameters":{}}', 10);


--
-- Data for Name: federated_identity; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.federated_identity VALUES ('google', 'r1', '109876543210987654321', 'ada@example.com', NULL, '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01');


--
-- Data for Name: keycloak_group; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.keycloak_group VALUES ('g1', 'staff', ' ', 'r1');
INSERT INTO public.keycloak_group VALUES ('g2', 'paris', 'g1', 'r1');


--
-- Data for Name: keycloak_role; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.keycloak_role VALUES ('ro1', NULL, false, NULL, 'editor', 'r1', NULL, NULL);
INSERT INTO public.keycloak_role VALUES ('ro2', NULL, true, NULL, 'manage', 'r1', 'c1', NULL);


--
-- Data for Name: realm; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.realm VALUES ('r0', 'master', true);
INSERT INTO public.realm VALUES ('r1', 'shop', true);


--
-- Data for Name: user_attribute; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_attribute VALUES ('locale', 'en', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', 'a1', NULL, NULL, NULL);
INSERT INTO public.user_attribute VALUES ('about', NULL, '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', 'a2', NULL, NULL, 'C:\new\table
\.
end');


--
-- Data for Name: user_entity; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_entity VALUES ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a02', 'bob@example.com', NULL, false, false, NULL, NULL, NULL, 'r1', 'bob', 1609459200000, NULL, 0);
INSERT INTO public.user_entity VALUES ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a03', NULL, NULL, false, true, NULL, NULL, NULL, 'r1', 'service-account-app', 1609459200000, 'c1', 0);
INSERT INTO public.user_entity VALUES ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a04', 'root@example.com', NULL, true, true, NULL, NULL, NULL, 'r0', 'admin', 1609459200000, NULL, 0);
INSERT INTO public.user_entity VALUES ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', 'ada@example.com', NULL, true, true, NULL, 'Ada "the	first"', 'O''Hara \N
Lovelace 👩‍💻', 'r1', 'ada', 1704067200000, NULL, 0);


--
-- Data for Name: user_group_membership; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_group_membership VALUES ('g2', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', 'UNMANAGED');


--
-- Data for Name: user_required_action; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: user_role_mapping; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_role_mapping VALUES ('ro1', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01');
INSERT INTO public.user_role_mapping VALUES ('ro2', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01');


--
-- Name: client client_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.client
    ADD CONSTRAINT client_pkey PRIMARY KEY (id);


--
-- Name: credential credential_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (id);


--
-- Name: federated_identity federated_identity_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.federated_identity
    ADD CONSTRAINT federated_identity_pkey PRIMARY KEY (identity_provider, user_id);


--
-- Name: keycloak_group keycloak_group_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keycloak_group
    ADD CONSTRAINT keycloak_group_pkey PRIMARY KEY (id);


--
-- Name: keycloak_role keycloak_role_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keycloak_role
    ADD CONSTRAINT keycloak_role_pkey PRIMARY KEY (id);


--
-- Name: realm realm_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.realm
    ADD CONSTRAINT realm_name_key UNIQUE (name);


--
-- Name: realm realm_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.realm
    ADD CONSTRAINT realm_pkey PRIMARY KEY (id);


--
-- Name: user_attribute user_attribute_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_attribute
    ADD CONSTRAINT user_attribute_pkey PRIMARY KEY (id);


--
-- Name: user_entity user_entity_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_entity
    ADD CONSTRAINT user_entity_pkey PRIMARY KEY (id);


--
-- Name: user_group_membership user_group_membership_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_group_membership
    ADD CONSTRAINT user_group_membership_pkey PRIMARY KEY (group_id, user_id);


--
-- Name: user_required_action user_required_action_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_required_action
    ADD CONSTRAINT user_required_action_pkey PRIMARY KEY (required_action, user_id);


--
-- Name: user_role_mapping user_role_mapping_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_role_mapping
    ADD CONSTRAINT user_role_mapping_pkey PRIMARY KEY (role_id, user_id);


--
-- Name: credential credential_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.user_entity(id);


--
-- Name: federated_identity federated_identity_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.federated_identity
    ADD CONSTRAINT federated_identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.user_entity(id);


--
-- Name: user_attribute user_attribute_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_attribute
    ADD CONSTRAINT user_attribute_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.user_entity(id);


--
-- Name: user_role_mapping user_role_mapping_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_role_mapping
    ADD CONSTRAINT user_role_mapping_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.user_entity(id);


--
-- PostgreSQL database dump complete
--

\unrestrict hlgc1TpDY2yNE2Q4G0x0CM8hsUXVgY9ZrKhfMFcS5Xfyo7ZNzHnzbtrqlzw7aTA

