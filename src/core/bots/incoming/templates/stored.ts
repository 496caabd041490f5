import type { Db } from '../../../../storage/index.ts'
import { defineCache } from '../../../kernel/cache.ts'
import type { Integration } from '../../../shapes/integration.ts'
import type { Template } from './service.ts'

export interface StoredTemplate extends Template {
  readonly id: number
  readonly name: string
}

const load = (db: Db): Promise<StoredTemplate[]> =>
  db.selectFrom('webhook_template').selectAll().orderBy('name').execute()

/** The integrations that administrators made. */
export const storedTemplates = defineCache('webhook_template', load)

/** An integration as clients see it. Only templates that name their events can be filtered by them. */
export const integrationOfTemplate = ({ name, event }: Omit<StoredTemplate, 'id'>): Integration => ({
  name,
  display_name: name,
  all_event_types: event === '' ? null : [],
  config_options: [],
  url_options: [],
})
