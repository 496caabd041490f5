import { installBeside, requireBeside } from './beside.ts'

export async function importPg(): Promise<typeof import('pg').default> {
  try {
    return requireBeside('pg')
  } catch (error) {
    // `require` and `import` have different error codes.
    const missing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    throw missing ? Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' }) : error
  }
}

export const INSTALL_PG: string = installBeside('pg')
