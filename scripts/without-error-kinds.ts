import type { Plugin } from 'vite'

const ERRORS = /\/src\/core\/kernel\/errors\.ts$/
const TABLE = /export const errorCodes = \{[^}]*\} as const/

/**
 * Leaves the table of error codes out of the page. It says the kind of an error that the server throws, and the page only has
 * errors from responses, whose status says their kind.
 */
export const withoutErrorKinds: Plugin = {
  name: 'without-error-kinds',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!ERRORS.test(id)) return null
    if (!TABLE.test(code)) throw new Error('the table of error codes has another form')
    return code.replace(TABLE, 'export const errorCodes = {}')
  },
}
