import type { MakeSharp } from '../../../src/core/files/images/sharp-package.ts'
import { installBeside, requireBeside } from './beside.ts'

export const importSharp = async (): Promise<MakeSharp> => requireBeside('sharp')
export const resolveSharp = (): string => requireBeside.resolve('sharp')
export const INSTALL_SHARP: string = installBeside('sharp')
