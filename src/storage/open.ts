export { type OpenOptions, openStore } from './sqlite/open-store.ts'
export type { Inspection, Store } from './store.ts'
