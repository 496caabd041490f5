import { createHash, createHmac } from 'node:crypto'
import * as v from 'valibot'
import { isSameSecret } from '../../../kernel/base/same-secret.ts'
import { announcesBranch, on, type Reader, skippedBranch, text, textAt } from '../format/event.ts'
import type { Headers, Service } from '../format/service.ts'
import { code, link, quote, topicName, untrustedLine } from '../format/text.ts'

const deploys: Readonly<Record<string, string>> = {
  deploy_building: 'has started',
  deploy_created: '**succeeded** :check:',
  deploy_failed: '**failed** :alert:',
  deploy_deleted: 'was deleted',
  deploy_locked: 'is locked, so that later ones are not published automatically',
  deploy_unlocked: 'is unlocked, so that later ones are published automatically',
  deploy_request_pending: 'needs approval',
  deploy_request_accepted: 'was approved',
  deploy_request_rejected: 'was rejected',
}

const deploy = (words: string): Reader =>
  on(
    v.object({
      id: text,
      name: v.string(),
      admin_url: text,
      deploy_ssl_url: text,
      branch: text,
      context: text,
      title: text,
      committer: text,
      error_message: text,
    }),
    ({ id, name, admin_url, deploy_ssl_url, branch, context, title, committer, error_message }, view) => {
      if (branch && !announcesBranch(view, branch)) return skippedBranch(branch)
      const shown = link('deploy', admin_url && id ? `${admin_url}/deploys/${id}` : deploy_ssl_url)
      const of = link(context.replaceAll('-', ' ') || 'site', deploy_ssl_url)
      const by = committer ? ` by ${untrustedLine(committer)}` : ''
      const about = title ? ` **${untrustedLine(title)}**` : ''
      return {
        topic: topicName(name, ...(branch ? [branch] : [])),
        content: `The ${shown}${about} of ${branch ? `${code(branch)} to ` : ''}${of}${by} ${words}.${quote(error_message)}`,
      }
    },
  )

const submission = on(
  v.object({ form_name: text, site_url: text, name: text, email: text, summary: text, body: text }),
  ({ form_name, site_url, name, email, summary, body }) => ({
    topic: topicName('Netlify', form_name || 'forms'),
    content: `${untrustedLine(name || email) || 'Somebody'} submitted the form ${link(form_name || 'form', site_url)}.${quote(body || summary)}`,
  }),
)

/** A JSON Web Signature by HMAC-SHA256, whose data has the digest of the body. */
function isProven(secret: string, body: string, headers: Headers): boolean {
  const [head = '', data = '', signature = ''] = (headers['x-webhook-signature'] ?? '').split('.')
  const digest = createHash('sha256').update(body).digest('hex')
  // The algorithm is fixed here, whatever the token says.
  const isSigned = isSameSecret(createHmac('sha256', secret).update(`${head}.${data}`).digest('base64url'), signature)
  return isSigned && Buffer.from(data, 'base64url').includes(`"${digest}"`)
}

export const netlify: Service = {
  name: 'netlify',
  displayName: 'Netlify',
  hasBranches: true,
  headers: ['x-netlify-event', 'x-webhook-signature'],
  eventHeader: 'x-netlify-event',
  secret: { option: 'netlify_secret', isProven },
  // "deploy_created:production", as previews are many.
  alsoNamed: (payload, header) =>
    [textAt(payload, 'context')].flatMap((context) => (context ? [`${header}:${context}`] : [])),
  events: {
    ...Object.fromEntries(Object.entries(deploys).map(([name, words]) => [name, deploy(words)])),
    submission_created: submission,
  },
}
