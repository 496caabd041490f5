import { userPages } from '../user-table.ts'

/** What is everybody's own affair, or follows from a setting of the organization. */
const notSettable: ReadonlySet<string> = new Set(['allow_private_data_export', 'default_language'])

/** The settings that new accounts can begin with. */
export const defaultRows = Object.values(userPages)
  .flat()
  .filter(({ name }) => !notSettable.has(name))
