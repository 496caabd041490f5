import type { Headers } from '../responses.ts'
import type { WebFile } from './client-files.ts'

interface PolicyOptions {
  /** Allows `style` attributes, which highlighted code of the documentation has. */
  readonly inlineStyles?: boolean
  /** Origins besides the server's own that the page may ask for data and images. */
  readonly origins?: readonly string[]
  /** Hashes of the scripts within the page. */
  readonly scripts?: readonly string[]
}

/**
 * Returns the policy of the web client's page: it may run, load and show what this server serves, and of
 * what is inline, only scripts with these hashes.
 * Only pages of the origins `framedBy` may frame it.
 */
const policyFor = (framedBy: readonly string[], { inlineStyles, origins = [], scripts = [] }: PolicyOptions): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    inlineStyles ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    ["img-src 'self' data: blob:", ...origins].join(' '),
    "media-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...origins].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
  ].join('; ')

/** For all files, because a worker of the page has the policy of its own file. */
const common: Headers = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

const ofPages: Headers = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
}

/** A file with a hash in its name never changes. Browsers ask for the others, such as the page, each time. */
export const headersFor = (
  { content_type, hashed }: WebFile,
  framedBy: readonly string[],
  options: PolicyOptions = {},
): Headers => ({
  'content-security-policy': policyFor(framedBy, options),
  ...common,
  ...(content_type.startsWith('text/html') && ofPages),
  // This header can't name origins. Browsers that read the policy ignore it, and others would not show the page.
  ...(content_type.startsWith('text/html') && framedBy.length === 0 && { 'x-frame-options': 'DENY' }),
  'content-type': content_type,
  'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
})
