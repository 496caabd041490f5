// The single executable replaces this module (scripts/release/executable/sharp-package.ts).
import { createRequire } from 'node:module'

export type MakeSharp = typeof import('sharp').default

/** Loads the optional package. */
export const importSharp = async (): Promise<MakeSharp> => (await import('sharp')).default

/** Returns the optional package's path. Throws if it is not installed. */
export const resolveSharp = (): string => createRequire(import.meta.url).resolve('sharp')

/** The command that installs it. */
export const INSTALL_SHARP = 'npm install sharp'
