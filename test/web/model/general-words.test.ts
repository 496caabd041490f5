import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import type { ErrorCode } from '../../../src/client/index.ts'
import { errorCodes } from '../../../src/core/kernel/errors.ts'
import { first } from '../../../web/texts/de/first.ts'
import { pieces } from '../../../web/texts/de/pieces.ts'
import { inLanguage } from '../in-language.ts'

const { refusals, problems } = pieces

interface Rejection {
  message: string
  code?: ErrorCode
}

/** What the German page says about rejections. */
const worded = (all: readonly Rejection[]) =>
  inLanguage<string[]>(
    'de',
    `const { ChatError } = await load('src/client/index.ts')
    const { wording } = await load('web/model/state/wording.ts')
    await load('web/view/parts/problem-words.ts')
    const worded = ({ message, code = 'BAD_REQUEST' }) =>
      wording.of(new ChatError(code, message, { until: 1, retry_after: 1 })) ?? ''
    const result = ${JSON.stringify(all)}.map(worded)`,
  )

const REJECTED =
  /(?:badRequest|invalidField|absent|forbidden|notPermitted)\(\s*(?:'\w+',\s*)?(?:'([^'\n]+)'|`([^`\n]+)`)/g

/** The sentences of the general code in the server's source, with a number for each value. */
const sentences = globSync('src/core/**/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(REJECTED)].map(([, plain, withValues]) =>
    (plain ?? withValues!).replaceAll(/\$\{[^}]*\}/g, '7'),
  ),
)

test('no sentence of the server is shown in English to readers of another language', async () => {
  assert.ok(sentences.length > 250, String(sentences.length))
  const words = await worded(sentences.map((message) => ({ message })))
  assert.deepEqual(
    sentences.filter((sentence, i) => words[i] === '' || words[i] === sentence),
    [],
  )
  // A few are about nothing in particular, or only programs meet them.
  const quoted = sentences.filter((sentence, i) => words[i] === refusals.serverSays(sentence))
  assert.ok(quoted.length < sentences.length / 4, quoted.join('\n'))
  const codes = Object.keys(errorCodes) as ErrorCode[]
  const ofCodes = await worded(codes.map((code) => ({ code, message: 'Some reason.' })))
  assert.deepEqual(
    codes.filter((_, i) => ofCodes[i] === '' || ofCodes[i] === 'Some reason.'),
    [],
  )
})

test('sentences of a kind have the words of the kind', async () => {
  const expected: Readonly<Record<string, string>> = {
    "Bad value for 'message_content_edit_limit_seconds': 3": refusals.badValue,
    'name is too long (limit: 1000 characters)': refusals.tooLong('1.000'),
    'Too many drafts; at most 1000 per user': refusals.limitOf(first.places.drafts, '1.000'),
    'An organization can have at most 50 things.': refusals.limit('50'),
    'Label cannot be blank.': refusals.blank,
    'Already has an account.': refusals.taken,
    'Wrong password!': refusals.wrongPassword,
    'Message is too long: 20000 bytes, at most 10000': problems.TOO_LARGE,
    // Names that people chose don't decide.
    "Emoji 'empty' does not exist": refusals.gone,
    "Default channel group 'Ann's expired' already exists": refusals.taken,
    'Something else.': refusals.serverSays('Something else.'),
  }
  const sentences = Object.keys(expected)
  assert.deepEqual(await worded(sentences.map((message) => ({ message }))), Object.values(expected))
  const link = { code: 'BAD_INVITATION', message: 'This link has expired or was already used.' } as const
  assert.deepEqual(await worded([link]), [refusals.expired])
})
