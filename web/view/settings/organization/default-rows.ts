import { userPages } from '../user-table.ts'

/** Settings without a default: only the user decides, or another setting of the organization does. */
const notSettable: ReadonlySet<string> = new Set(['allow_private_data_export', 'default_language'])

/** The settings with defaults for new accounts. */
export const defaultRows = Object.values(userPages)
  .flat()
  .filter(({ name }) => !notSettable.has(name))
