import { defineConfig } from 'vite'
import { shortKeys } from './short-keys.ts'

/** Where `npm run dev:web` finds a server. */
const server = 'http://127.0.0.1:9991'
/** What of a server's paths the page uses. */
const served = ['/json', '/user_uploads', '/user_avatars', '/avatar', '/static', '/thumbnail', '/external_content']

const WORKER = 'service-worker'
/** The script of the server's own forms, which name it. */
const METER = 'password-meter'

/** Nothing is painted before the script has chosen the theme, which else is a flash of white in the dark one. */
const withoutFlash = {
  name: 'without-flash',
  transformIndexHtml: (html: string) => html.replace('<script type="module"', '$& blocking="render"'),
}

/**
 * Lets the sanitizer be made when a message first needs it. Its package makes one when it is loaded, which took a third
 * of the start's first task.
 */
const lateSanitizer = {
  name: 'late-sanitizer',
  transform(code: string, id: string): string | undefined {
    if (!/\/dompurify\/dist\/purify\.es\.mjs$/.test(id)) return undefined
    const late = code.replace('= createDOMPurify();', '= createDOMPurify;')
    if (late === code) throw new Error('dompurify no longer ends in "= createDOMPurify();". See lateSanitizer')
    return late
  },
}

/** Loads a part of the page with its styles, like Vite's own, which also preloads scripts and is eight times as large. */
const smallLoader = {
  name: 'small-loader',
  transform: (_code: string, id: string) =>
    id.endsWith('vite/preload-helper.js') ? { code: loader, map: null } : undefined,
}
const loader = `
// The page's own is there from the start. A second one would override the styles that were loaded in between.
const sheets = Object.fromEntries([...document.querySelectorAll('link[rel=stylesheet]')].map(({ href }) => [href, 1]))
const styled = (href) => (sheets[href] ??= new Promise((resolve, reject) => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  link.onload = resolve
  link.onerror = () => {
    link.remove()
    delete sheets[href]
    reject(new Error('Cannot load ' + href))
  }
  document.head.append(link)
}))
export const __vitePreload = (load, files) =>
  Promise.all((files ?? []).map((file) => styled(new URL(file, import.meta.url).href))).then(load)
`

/** Keeps the words for errors, which a module sets without exporting anything. Else the package's `sideEffects` drop them. */
const keptWords = {
  name: 'kept-words',
  transform: (code: string, id: string) =>
    id.endsWith('/view/parts/problem-words.ts') ? { code, map: null, moduleSideEffects: true } : undefined,
}

export default defineConfig({
  // One build is served below any path.
  base: './',
  plugins: [withoutFlash, shortKeys, lateSanitizer, smallLoader, keptWords],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsDir: 'web',
    // The page's policy allows nothing inline, fonts and images neither.
    assetsInlineLimit: 0,
    modulePreload: false,
    license: { fileName: 'web/licenses.md' },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: `${import.meta.dirname}/index.html`,
        [WORKER]: `${import.meta.dirname}/worker/${WORKER}.ts`,
        [METER]: `${import.meta.dirname}/forms/${METER}.ts`,
      },
      output: {
        // A worker is responsible for the folder that it is in, and browsers look under its name for a newer one.
        entryFileNames: ({ name }) => ([WORKER, METER].includes(name) ? '[name].js' : 'web/[name]-[hash].js'),
        // Of a language, as `web/de-pages-Dk3f9a.js`.
        chunkFileNames: ({ facadeModuleId }) => {
          const [, language, part] = /\/texts\/([\w-]+)\/(\w+)\.ts$/.exec(facadeModuleId ?? '') ?? []
          return `web/${language ? (part === 'index' ? language : `${language}-${part}`) : '[name]'}-[hash].js`
        },
        // Everything the page starts with is one file. It needs one request, and two files would be larger when
        // compressed.
        codeSplitting: { groups: [{ name: 'main', test: /web\/view\/main\.tsx$/ }] },
      },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, server])) },
})
