import * as v from 'valibot'
import { integer } from './values.ts'

/** Public facts about the server, before signing in. */
export const serverSettingsShape = v.strictObject({
  /** Ways to sign in, and whether each is enabled. */
  authentication_methods: v.record(v.string(), v.boolean()),
  external_authentication_methods: v.array(
    v.strictObject({
      name: v.string(),
      display_name: v.string(),
      display_icon: v.nullable(v.string()),
      login_url: v.string(),
      signup_url: v.string(),
    }),
  ),
  zulip_version: v.string(),
  zulip_merge_base: v.string(),
  zulip_feature_level: integer,
  push_notifications_enabled: v.boolean(),
  is_incompatible: v.boolean(),
  email_auth_enabled: v.boolean(),
  /** Own: whether the server sends email, such as links to reset a password. */
  sends_email: v.boolean(),
  /** Own: whether people can sign in to a browser with a passkey. */
  passkeys: v.boolean(),
  /** Own: whether people can create an account with their email address. */
  sign_up_enabled: v.boolean(),
  require_email_format_usernames: v.boolean(),
  realm_url: v.string(),
  /** Older name of realm_url. */
  realm_uri: v.string(),
  realm_name: v.string(),
  realm_icon: v.string(),
  /** Own: the uploaded logos, for light and dark themes. */
  realm_logo: v.nullable(v.string()),
  realm_night_logo: v.nullable(v.string()),
  /** Own: the color of buttons and links, as #rrggbb; empty for the usual one. */
  realm_accent_color: v.string(),
  realm_description: v.string(),
  realm_web_public_access_enabled: v.boolean(),
})
export type ServerSettings = v.InferOutput<typeof serverSettingsShape>
