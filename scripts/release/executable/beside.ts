import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Requires packages from the `node_modules` beside the executable. */
export const requireBeside: NodeJS.Require = createRequire(process.execPath)

/** Returns the command that installs a package beside the executable. */
export const installBeside = (name: string): string => `npm install --prefix ${dirname(process.execPath)} ${name}`
