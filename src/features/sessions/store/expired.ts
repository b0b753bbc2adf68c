import { remover } from '../../../store/expired-rows.ts';

export const removeExpiredSessions = remover('sessions', ['app_no', 'handle']);
