import { defineConfig } from 'vite'

/** Where `npm run dev:web` finds a server. */
const server = 'http://127.0.0.1:9991'
/** What of a server's paths the page uses. */
const served = ['/json', '/user_uploads', '/user_avatars', '/avatar', '/static', '/thumbnail', '/external_content']

const WORKER = 'service-worker'

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsDir: 'web',
    // The page's policy allows nothing inline, fonts and images neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      input: { main: `${import.meta.dirname}/index.html`, [WORKER]: `${import.meta.dirname}/worker/${WORKER}.ts` },
      output: {
        // A worker is responsible for the folder that it is in, and browsers look under its name for a newer one.
        entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'web/[name]-[hash].js'),
      },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, server])) },
})
