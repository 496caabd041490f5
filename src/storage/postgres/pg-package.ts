// The single executable replaces this module (scripts/release/executable/pg-package.ts).

/** Loads the optional driver. Fails with `ERR_MODULE_NOT_FOUND` if it is not installed. */
export const importPg = async (): Promise<typeof import('pg').default> => (await import('pg')).default

/** The command that installs it. */
export const INSTALL_PG = 'npm install pg'
