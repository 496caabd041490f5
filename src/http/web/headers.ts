import type { Headers } from '../responses.ts'
import type { WebFile } from './client-files.ts'

/**
 * What the page of the web client may do: run, load and show what this server serves, and nothing inline. No page may frame it.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Of all its files: a worker of the page has the policy of its own file. */
const common: Headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

const ofPages: Headers = {
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** A name with a hash never changes what it names; for the others, the page above all, browsers ask each time. */
export const headersFor = ({ content_type, hashed }: WebFile): Headers => ({
  ...common,
  ...(content_type.startsWith('text/html') && ofPages),
  'content-type': content_type,
  'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
})
