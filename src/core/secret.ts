import { defineService } from './service.ts'

/** The secret under which API keys are hashed; it lives beside the database, not in it. */
export const secretOf = defineService<Uint8Array>('secret')
