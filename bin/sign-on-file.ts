import { readFileSync } from 'node:fs'
import { checkSignOn } from '../src/core/accounts/providers/sign-on.ts'
import type { SignOnOptions } from '../src/core/kernel/chat.ts'
import type { TrustProxy } from '../src/http/proxy.ts'

interface Given {
  /** Path of the sign-on file. */
  signOn?: string | undefined
  userHeader?: string | undefined
  publicUrl?: string | undefined
  trustProxy: TrustProxy
}

/** Reads the sign-on file, if there is one. Throws an Error that names the file and what is wrong in it. */
export async function signOnOptions({
  signOn: file,
  userHeader,
  publicUrl,
  trustProxy,
}: Given): Promise<SignOnOptions> {
  if (userHeader !== undefined && trustProxy === false) {
    throw new Error('--user-header needs --trust-proxy, because anyone could send this header')
  }
  const options = { ...(file !== undefined && { config: parsed(file) }), ...(userHeader && { userHeader }) }
  try {
    await checkSignOn(options, publicUrl)
  } catch (error) {
    const { message } = error as Error
    throw file === undefined || message.startsWith('--user-header') ? error : new Error(`--sign-on ${file}: ${message}`)
  }
  return options
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`--sign-on ${file} can't be read: ${(error as Error).message}`)
  }
}
