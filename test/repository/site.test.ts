import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { checkSite } from '../../scripts/site/check.ts'
import { moveScriptsToFiles } from '../../scripts/site/inline-scripts.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

function siteWith(folder: string, files: Record<string, string>): string {
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('the site check finds external requests, inline scripts and broken links', () => {
  using folder = new TemporaryFolder()
  const site = siteWith(folder.path, {
    'index.html': `<link rel="preconnect" href="https://fonts.example"><script src="//cdn.example/a.js"></script>
<script>inline()</script><a href="https://example.com">fine</a><a href="/docs/other">fine</a>
<a href="./other.html#there">fine</a><a href="./other#not-there">broken</a><a href="/docs/missing.html">broken</a>`,
    'other.html': '<h2 id="there">There</h2><img src="/docs/assets/a.png">',
    'assets/a.css': "@font-face { src: url('https://fonts.example/a.woff2') }",
  })
  assert.deepEqual(checkSite(site), [
    'index.html loads https://fonts.example',
    'index.html loads //cdn.example/a.js',
    'index.html has an inline script',
    'assets/a.css loads https://fonts.example/a.woff2',
    'index.html links to ./other#not-there, a heading that does not exist',
    'index.html links to /docs/missing.html',
  ])
})

test('moves inline scripts of the built site into shared files', () => {
  using folder = new TemporaryFolder()
  const page = '<script id="a">run("it")</script><script src="/docs/assets/b.js"></script><script>then()</script>'
  const site = siteWith(folder.path, { 'index.html': page, 'other.html': page, 'assets/b.js': '' })
  moveScriptsToFiles(site)
  assert.deepEqual(checkSite(site), [])
  const text = readFileSync(join(site, 'index.html'), 'utf8')
  const [, file] = /<script id="a" src="\/docs\/(assets\/[^"]+)">/.exec(text)!
  assert.equal(readFileSync(join(site, file!), 'utf8'), 'run("it")')
  assert.match(
    text,
    /<script src="\/docs\/assets\/b\.js"><\/script><script src="\/docs\/assets\/script\.\w+\.js"><\/script>$/,
  )
})

test('the sidebar of the site lists every page of the guide and for operators', () => {
  const config = readFileSync('scripts/site/.vitepress/config.ts', 'utf8')
  for (const [, folder, items] of config.matchAll(/pages\(\s*'(guide|operate)',([^)]*)\)/g)) {
    const listed = [...items!.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!)
    const files = readdirSync(`docs/${folder}`).map((name) => name.replace(/\.md$/, ''))
    assert.deepEqual(files.toSorted(), listed.filter((name) => name !== 'security').toSorted())
  }
})
