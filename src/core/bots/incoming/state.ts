import * as v from 'valibot'
import { statePart } from '../../events/log/state-part.ts'
import { isSpectator } from '../../kernel/spectator.ts'
import { integrationShape } from '../../shapes/integration.ts'
import { integrations } from './table.ts'
import { integrationOfTemplate, storedTemplates } from './templates/stored.ts'

/** The integrations in register's response, by name. People with an account also see the integrations of administrators. */
export const integrationState = statePart(
  { realm_incoming_webhook_bots: v.array(integrationShape) },
  async (reader) => {
    const templates = isSpectator(reader.user) ? [] : await storedTemplates.get(reader)
    const all = [...integrations, ...templates.map(integrationOfTemplate)]
    return { realm_incoming_webhook_bots: all.sort((a, b) => (a.name < b.name ? -1 : 1)) }
  },
)
