import { bool, type Decode, int, listOf, mapOf, matching, nullable, number, shape, text } from './decode.ts'
import * as objects from './objects.ts'

const nothing = shape({})
const externalMethod = shape({
  name: text,
  display_name: text,
  'display_icon?': text,
  login_url: text,
  signup_url: text,
})
const page = { found_newest: bool, found_oldest: bool }
const updated = {
  ...{ processed_count: int, updated_count: int },
  ...{ first_processed_id: nullable(int), last_processed_id: nullable(int) },
}

/** What the app reads of the answers to the requests that it sends. */
export const appAnswers = {
  'GET /server_settings': shape({
    zulip_version: text,
    zulip_feature_level: int,
    zulip_merge_base: text,
    realm_uri: matching(/^https?:\/\/[^/]+$/),
    require_email_format_usernames: bool,
    email_auth_enabled: bool,
    realm_name: text,
    realm_icon: text,
    realm_description: text,
    push_notifications_enabled: bool,
    is_incompatible: bool,
    realm_web_public_access_enabled: bool,
    authentication_methods: shape({ ldap: bool }),
    external_authentication_methods: listOf(externalMethod),
  }),
  'POST /fetch_api_key': shape({ api_key: text, email: text, user_id: int }),
  'GET /users/me': shape({ user_id: int }),
  'GET /messages': shape({
    messages: listOf(objects.message),
    anchor: int,
    found_anchor: bool,
    history_limited: bool,
    ...page,
  }),
  'GET /messages/{id}': shape({ message: objects.message }),
  'POST /messages': shape({ id: int }),
  'PATCH /messages/{id}': nothing,
  'DELETE /messages/{id}': nothing,
  'POST /messages/{id}/reactions': nothing,
  'DELETE /messages/{id}/reactions': nothing,
  'GET /messages/{id}/read_receipts': shape({ user_ids: listOf(int) }),
  'POST /messages/{id}/report': nothing,
  'POST /messages/flags': shape({ messages: listOf(int) }),
  'POST /messages/flags/narrow': shape({ ...updated, ...page }),
  'POST /mobile_push/register': nothing,
  'POST /register_client_device': shape({ device_id: int }),
  'POST /remove_client_device': nothing,
  'POST /saved_snippets': shape({ saved_snippet_id: int }),
  'PATCH /settings': nothing,
  'POST /submessage': nothing,
  'POST /typing': nothing,
  'POST /user_topics': nothing,
  'POST /user_uploads': shape({ uri: text, url: text }),
  'GET /user_uploads/{id}/{path}': shape({ url: text }),
  'POST /users/me/apns_device_token': nothing,
  'DELETE /users/me/apns_device_token': nothing,
  'POST /users/me/android_gcm_reg_id': nothing,
  'DELETE /users/me/android_gcm_reg_id': nothing,
  'POST /users/me/presence': shape({
    presence_last_update_id: int,
    server_timestamp: number,
    presences: mapOf(objects.presence, /^\d+$/),
  }),
  'POST /users/me/status': nothing,
  'POST /users/me/subscriptions': shape({
    subscribed: mapOf(listOf(text)),
    already_subscribed: mapOf(listOf(text)),
  }),
  'DELETE /users/me/subscriptions': shape({ removed: listOf(text), not_removed: listOf(text) }),
  'POST /users/me/subscriptions/properties': nothing,
  'GET /users/me/{id}/topics': shape({ topics: listOf(shape({ name: text, max_id: int })) }),
} as const satisfies Readonly<Record<string, Decode>>
