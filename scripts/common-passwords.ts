// cspell:ignore zxcvbn
/**
 * Writes `src/core/accounts/common-passwords.ts` from a list of passwords as JSON, the most common one first:
 * `npx tsx scripts/common-passwords.ts passwords.json`. The list of @zxcvbn-ts/language-common has this form. Passwords with
 * patterns are left out, because they are recognized without a list.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { digestOf, hasPattern, rootOf } from '../src/core/accounts/password-rules.ts'

/** How many forms are kept. */
const MOST = 5000
const LINE = 116
const SHORTEST = 4

const passwords = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as string[]
const forms = new Set<string>()
for (const password of passwords) {
  if (forms.size >= MOST) break
  const root = rootOf(password)
  // Short ones are the beginning of longer passwords, such as "love1234".
  if (root.length >= SHORTEST && !hasPattern(root)) forms.add(root)
}
const digests = [...new Set([...forms].map(digestOf))].sort((a, b) => a - b)
const bytes = Buffer.alloc(digests.length * 4)
for (const [i, digest] of digests.entries()) bytes.writeUInt32BE(digest, i * 4)
const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g'))!
writeFileSync(
  new URL('../src/core/accounts/common-passwords.ts', import.meta.url),
  `/** Digests of the ${digests.length} most common passwords, written by scripts/common-passwords.ts: nobody has to read the words. */
export const commonPasswords = \`
${lines.join('\n')}
\`
`,
)
