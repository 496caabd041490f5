// Preloaded by examples in tests: `chat-server` resolves to the source instead of the build.
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const match = /^chat-server(\/\w+)?$/.exec(specifier)
    return match
      ? next(new URL(`../../src${match[1] ?? ''}/index.ts`, import.meta.url).href, context)
      : next(specifier, context)
  },
})
