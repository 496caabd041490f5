import * as v from 'valibot'
import type { Caller } from '../../kernel/context.ts'
import { badRequest, invalidField } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { configuredUrl, publicUrlOf } from '../../kernel/public-url.ts'
import type { ProviderConfig } from '../providers/config.ts'
import type { PageMembers } from '../providers/page-config.ts'
import { type Preset, presets } from '../providers/presets.ts'
import { CALLBACK_PATH } from './sign-in.ts'

export const anything = v.record(v.string(), v.unknown())
export const members = described(
  anything,
  'Its members, as in the sign-on file, without `name` and the secret: such as `issuer`, `client_id` and `trusted_domains`.',
)
export const clientSecret = v.pipe(text, v.trim(), v.maxLength(2000, '{name} is too long'))

/** Addresses to register at a provider. */
export const addressesOf = ({ chat }: Pick<Caller, 'chat'>, { name, type }: Pick<ProviderConfig, 'name' | 'type'>) => ({
  redirect_uri: `${publicUrlOf(chat)}${CALLBACK_PATH}/${name}`,
  logout_uri: type === 'github' ? null : `${publicUrlOf(chat)}/oidc/${name}/backchannel`,
})

export function requirePublicUrl({ chat }: Pick<Caller, 'chat'>): void {
  if (configuredUrl(chat) !== undefined) return
  throw badRequest('The server needs --public-url, because providers send people back to this address.')
}

const issuerOf = ({ issuer, preset }: PageMembers): string | undefined =>
  issuer ?? (preset && (presets[preset] as Preset).issuer)

/** Throws if a stored secret would be sent to another server than its own. */
export function requireSameIssuer(before: PageMembers, after: PageMembers): void {
  if (issuerOf(before) !== issuerOf(after))
    throw invalidField('client_secret', '"client_secret" is missing: the issuer is another one')
}
