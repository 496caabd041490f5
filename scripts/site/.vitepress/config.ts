import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { sections } from '../../../src/http/routes/api.ts'
import { siteFolder, stageFolder } from '../stage.ts'

/** Returns a page's first heading. */
const titleOf = (path: string): string => /^# (.*)$/m.exec(readFileSync(join(stageFolder, path), 'utf8'))![1]!

/** Returns links to pages of a folder, in this order. */
const pages = (folder: string, ...names: string[]) =>
  names.map((name) => ({ text: titleOf(`${folder}/${name}.md`), link: `/${folder}/${name}` }))

const tags = sections.map(({ tag }) => tag)
const decisions = readdirSync(join(stageFolder, 'internals/decisions'))
  .filter((name) => /^\d/.test(name))
  .sort()
const entrances = {
  index: 'chat-server',
  http: 'chat-server/http',
  client: 'chat-server/client',
  admin: 'chat-server/admin',
  testing: 'chat-server/testing',
}

const guide = [
  {
    text: 'Guide',
    items: pages(
      'guide',
      'run',
      'web-client',
      'import',
      'import-slack',
      'import-zulip',
      'import-mattermost',
      'import-rocketchat',
      'import-discord',
      'sign-on',
      'email',
      'embed',
      'test',
      'other-languages',
      'client',
      'webhooks',
      'webhook-events',
    ),
  },
]
const operate = [
  {
    text: 'Operate',
    items: [
      ...pages(
        'operate',
        'deploy',
        'options',
        'backup',
        'upgrade',
        'scaling',
        'monitor',
        'mail',
        'identity-providers',
        'directory',
        'scim',
        'moderation',
        'audit',
        'privacy',
        'limits',
        'reliability',
        'security',
        'import-format',
      ),
      { text: 'Figures', link: '/figures' },
    ],
  },
]
const api = [{ text: 'API', items: [{ text: 'Overview', link: '/api/' }, ...pages('api', ...tags)] }]
const library = [
  {
    text: 'Library',
    items: Object.entries(entrances).map(([folder, text]) => ({ text, link: `/library/${folder}/` })),
  },
]
const internals = [
  {
    text: 'Internals',
    items: [
      ...pages('internals', 'architecture', 'glossary', 'portability', 'dependencies', 'releasing', 'contributing'),
      { text: 'Changelog', link: '/changelog' },
    ],
  },
  { text: 'Decisions', items: pages('internals/decisions', ...decisions.map((name) => name.replace(/\.md$/, ''))) },
]

export default defineConfig({
  srcDir: stageFolder,
  outDir: siteFolder,
  cacheDir: join(stageFolder, '.cache'),
  base: '/docs/',
  title: 'chat-server',
  description: 'A complete team-chat server in one process and one SQLite file',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/favicon.svg' }]],
  metaChunk: true,
  markdown: {
    languageAlias: { caddy: 'nginx', systemd: 'ini' },
    // Braces in documents are text.
    config: (markdown) => markdown.set({ html: true }),
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Library pages are searchable only by name. Their full text would triple the build time.
        _render: (source, env, markdown) =>
          markdown.render(env.relativePath.startsWith('library/') ? (/^# .*$/m.exec(source)?.[0] ?? '') : source, env),
      },
    },
    nav: [
      { text: 'Guide', link: '/guide/run', activeMatch: '/guide/' },
      { text: 'Operate', link: '/operate/deploy', activeMatch: '/operate/|/figures' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: 'Library', link: '/library/index/', activeMatch: '/library/' },
      { text: 'Internals', link: '/internals/architecture', activeMatch: '/internals/|/changelog' },
    ],
    sidebar: {
      '/guide/': guide,
      '/operate/': operate,
      '/figures': operate,
      '/api/': api,
      '/library/': library,
      '/internals/': internals,
      '/changelog': internals,
    },
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
})
