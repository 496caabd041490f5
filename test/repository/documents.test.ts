import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { root } from '../../scripts/imports.ts'
import { codeBlocks, documents } from '../../scripts/package/documents.ts'
import { optionsPage, optionsText } from '../../scripts/site/options.ts'
import { webhookEventsPage, webhookEventsText } from '../../scripts/site/webhook-events.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const isDocument = (path: string) => path.endsWith('.md')
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(isDocument)
const all = [...readdirSync(root).filter(isDocument), ...pages.map((page) => `docs/${page}`)]

/** Returns a document without its code. */
const prose = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')

/** Returns the anchors of a document's headings, as the site and repository hosts derive them. */
const anchors = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('relative links of documents lead to existing files and headings', () => {
  const broken = all.flatMap((path) =>
    [...prose(read(path)).matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, to, anchor]) => {
        const target = to ? join(dirname(path), to) : path
        const isFine = existsSync(join(root, target)) && (!anchor || anchors(target).includes(anchor))
        return isFine ? [] : [`${path}: ${link}`]
      },
    ),
  )
  assert.deepEqual(broken, [])
})

test('the README has at most 120 lines of 120 characters and links every section of docs/', () => {
  const lines = read('README.md').trimEnd().split('\n')
  assert.ok(lines.length <= 120, `${lines.length} lines`)
  assert.deepEqual(
    lines.filter((line) => line.length > 120 && !line.startsWith('|')),
    [],
  )
  for (const folder of ['guide', 'operate', 'internals'])
    assert.ok(read('README.md').includes(`docs/${folder}/`), folder)
})

test('every code block in the documents runs in the package check or says why not', () => {
  const blocks = documents().flatMap((path) => codeBlocks(read(path)).map((block) => ({ ...block, path })))
  assert.ok(blocks.filter(({ reason }) => !reason).length > 10)
  assert.deepEqual(
    blocks.filter(({ language, reason }) => !reason && !/^(sh|ts|js|mjs|csv)$/.test(language)),
    [],
  )
})

test('docs/guide/webhook-events.md matches the examples that tests send', () => {
  assert.equal(
    readFileSync(webhookEventsPage, 'utf8'),
    webhookEventsText(),
    'out of date: npm run webhook-events writes it',
  )
})

test("docs/operate/options.md matches the command line's options", () => {
  assert.equal(readFileSync(optionsPage, 'utf8'), optionsText(), 'out of date: npm run options writes it')
  assert.match(optionsText(), /--allow-private-webhooks/)
})
