import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { root } from '../../scripts/imports.ts'
import {
  check,
  commentTexts,
  markdownTexts,
  stringTexts,
  subjectProblem,
  testNames,
} from '../../scripts/prose/check.ts'
import { notYetComments, notYetDocuments, notYetStrings, notYetTestNames } from '../../scripts/prose/not-yet.ts'

const adviceFor = (text: string) => check([{ line: 1, text }]).map(({ message }) => message.replace(/^.*": /, ''))

test('the prose check finds our bad habits', () => {
  const table: [text: string, advice: string[]][] = [
    ['Who is in it', ['members, subscribers', 'give the clause a noun: "People who …"']],
    ['Who signs out is asked first.', ['give the clause a noun: "People who …"']],
    ['Who may read this?', []],
    ['Who can send messages here.', []],
    ['Members can join all channels at once.', []],
    ['Some of those have ended.', ['repeat the noun']],
    ['The page goes on at once.', ['immediately, or: at the same time', 'continues, resumes']],
    ['A queue ends by itself.', ['automatically']],
    ['The request is refused.', ['is rejected, returns 403']],
    ['Code such as `is refused at once` is no prose.', []],
    ['People without an account can read this channel.', []],
  ]
  for (const [text, advice] of table) assert.deepEqual([text, adviceFor(text)], [text, advice])
  assert.match(check([{ line: 1, text: 'word '.repeat(33) }])[0]!.message, /^33 words/)
  assert.match(check([{ line: 1, text: 'word '.repeat(13), isHeading: true }])[0]!.message, /^13 words/)
})

test('the prose check reads documents, comments and test names with line numbers', () => {
  const markdown =
    '# Title\n\nA paragraph\nof two lines.\n\n```sh\nat once\n```\n\n- An item\n- Another\n\n| A cell | <!-- at once --> |\n'
  assert.deepEqual(markdownTexts(markdown), [
    { line: 1, text: 'Title', isHeading: true },
    { line: 3, text: 'A paragraph of two lines.' },
    { line: 10, text: 'An item' },
    { line: 11, text: 'Another' },
    { line: 13, text: 'A cell' },
  ])
  const source =
    "/** Returns it. */\nconst a = 'http://example.com'\n\n// One\n// comment.\ntest('keeps the draft', () => {})\n"
  assert.deepEqual(
    commentTexts(source).map(({ line, text }) => [line, text.trim()]),
    [
      [1, 'Returns it.'],
      [4, 'One comment.'],
    ],
  )
  assert.deepEqual(testNames(source), [{ line: 6, text: 'keeps the draft' }])
})

test('the prose check reads sentences in strings, but no SQL, markup or short values', () => {
  const source = [
    "import a from 'some of those words'",
    'throw new Error(`' + '$' + '{file} is refused at once`)',
    "log.warn('the disk is full', { code: 'ENOSPC', class: 'col-a col-b' })",
    'const found = sql`select name from user where id = 1`',
    'const html = \'<p class="a">One is here</p>\'',
    'const help = `First line\n  of two`',
  ].join('\n')
  assert.deepEqual(stringTexts(source), [
    { line: 2, text: 'VALUE is refused at once' },
    { line: 3, text: 'the disk is full' },
    { line: 6, text: 'First line\n\nof two' },
  ])
})

test('commit subjects are imperative with at most 72 characters', () => {
  const table: [subject: string, problem: RegExp | undefined][] = [
    ['Keep the draft when a tab closes mid-typing', undefined],
    ['Name the reason', undefined],
    ["Merge branch 'moves'", undefined],
    [`Keep ${'x'.repeat(68)}`, /73 characters/],
    ['The draft is kept', /not imperative/],
    ['Added a test', /not imperative/],
    ['keep the draft', /capitalized/],
    ['Keep the draft.', /period/],
  ]
  for (const [subject, problem] of table) {
    const found = subjectProblem(subject)
    if (problem) assert.match(found ?? '', problem, subject)
    else assert.equal(found, undefined, subject)
  }
})

test('paths listed as not yet rewritten exist', () => {
  const paths = [...notYetDocuments, ...notYetComments, ...notYetStrings, ...notYetTestNames]
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  )
})
