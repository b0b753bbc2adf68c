import { remover } from '../../../store/tokens/expired-tokens.ts';

export const removeExpiredSessions = remover('sessions', ['app_no', 'handle']);
