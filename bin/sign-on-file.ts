import { readFileSync } from 'node:fs'
import { checkSignOn } from '../src/core/accounts/providers/sign-on.ts'
import type { SignOnOptions } from '../src/core/kernel/chat.ts'

/** Reads a sign-on file. Throws an Error that names the file and what is wrong in it. */
export async function signOnFile(file: string, publicUrl: string | undefined): Promise<SignOnOptions> {
  const config = parsed(file)
  try {
    await checkSignOn({ config }, publicUrl)
  } catch (error) {
    throw new Error(`--sign-on ${file}: ${(error as Error).message}`)
  }
  return { config }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`--sign-on ${file} can't be read: ${(error as Error).message}`)
  }
}
