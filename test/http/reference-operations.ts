/**
 * The operations of the reference at feature level 489: method, path, and the role it takes to call it here. Paths are
 * below /api/v1; those that begin with two slashes are at the root. `absent` says that it is not there yet.
 */
const documentedRows = `
# Signing in, the server
POST /fetch_api_key visitor
POST /dev_fetch_api_key visitor
GET /server_settings visitor

# Events
POST /register anyone
GET /events anyone
DELETE /events anyone

# Messages
GET /messages anyone
POST /messages anyone
GET /messages/{message_id} anyone
PATCH /messages/{message_id} anyone
DELETE /messages/{message_id} anyone
GET /messages/{message_id}/history anyone
GET /messages/{message_id}/read_receipts anyone
POST /messages/{message_id}/reactions anyone
POST /messages/{message_id}/report anyone
DELETE /messages/{message_id}/reactions anyone
POST /messages/{message_id}/typing anyone
POST /messages/render anyone
GET /messages/matches_narrow anyone
POST /messages/flags anyone
POST /messages/flags/narrow anyone
POST /mark_all_as_read anyone
POST /mark_stream_as_read anyone
POST /mark_topic_as_read anyone
POST /typing anyone

# Streams and subscriptions
GET /users/me/subscriptions anyone
POST /users/me/subscriptions anyone
DELETE /users/me/subscriptions anyone
PATCH /users/me/subscriptions anyone
POST /users/me/subscriptions/properties anyone
GET /streams anyone
GET /streams/{stream_id} anyone
PATCH /streams/{stream_id} anyone
DELETE /streams/{stream_id} anyone
GET /streams/{stream_id}/members anyone
POST /streams/{stream_id}/delete_topic anyone
GET /get_stream_id anyone
POST /default_streams administrator
DELETE /default_streams administrator
GET /streams/{stream_id}/email_address anyone
POST /channels/create member
GET /channel_folders anyone
PATCH /channel_folders administrator
POST /channel_folders/create administrator
PATCH /channel_folders/{channel_folder_id} administrator

# What is written before it is sent
GET /drafts anyone
POST /drafts anyone
PATCH /drafts/{draft_id} anyone
DELETE /drafts/{draft_id} anyone
GET /scheduled_messages anyone
POST /scheduled_messages anyone
PATCH /scheduled_messages/{scheduled_message_id} anyone
DELETE /scheduled_messages/{scheduled_message_id} anyone
GET /saved_snippets anyone
POST /saved_snippets anyone
PATCH /saved_snippets/{saved_snippet_id} anyone
DELETE /saved_snippets/{saved_snippet_id} anyone
GET /reminders anyone
POST /reminders anyone
DELETE /reminders/{reminder_id} anyone
GET /navigation_views anyone
POST /navigation_views anyone
PATCH /navigation_views/{fragment} anyone
DELETE /navigation_views/{fragment} anyone

# Files
POST /user_uploads anyone
GET /user_uploads/{realm_id}/{filename} anyone
GET /attachments anyone
DELETE /attachments/{attachment_id} anyone

# Calls and push
GET /calls/bigbluebutton/create anyone
POST /mobile_push/test_notification anyone
POST /register_client_device anyone
POST /mobile_push/register anyone
POST /mobile_push/e2ee/test_notification anyone
POST /remove_client_device anyone

# Users
GET /users anyone
POST /users administrator
GET /users/me anyone
DELETE /users/me anyone
GET /users/{user_id} anyone
PATCH /users/{user_id} administrator
DELETE /users/{user_id} administrator
POST /users/{user_id}/reactivate administrator
GET /users/{email} anyone
PATCH /users/{email} administrator
GET /users/{user_id}/status anyone
POST /users/{user_id}/status anyone
GET /users/{user_id}/channels anyone
GET /users/{user_id}/presence anyone
GET /users/{user_id}/subscriptions/{stream_id} anyone
GET /users/me/alert_words anyone
POST /users/me/alert_words anyone
DELETE /users/me/alert_words anyone
POST /users/me/presence anyone
POST /users/me/status anyone
POST /users/me/muted_users/{muted_user_id} anyone
DELETE /users/me/muted_users/{muted_user_id} anyone
GET /users/me/{stream_id}/topics anyone
PATCH /users/me/subscriptions/muted_topics anyone
POST /user_topics anyone
PATCH /settings anyone
PATCH /realm/user_settings_defaults administrator
GET /realm/presence anyone

# Groups
GET /user_groups member
POST /user_groups/create anyone
PATCH /user_groups/{user_group_id} anyone
POST /user_groups/{user_group_id}/deactivate anyone
GET /user_groups/{user_group_id}/members member
POST /user_groups/{user_group_id}/members anyone
GET /user_groups/{user_group_id}/members/{user_id} member
GET /user_groups/{user_group_id}/subgroups member
POST /user_groups/{user_group_id}/subgroups anyone

# The organization
POST /realm/test_welcome_bot_custom_message administrator
GET /realm/emoji anyone
POST /realm/emoji/{emoji_name} anyone
DELETE /realm/emoji/{emoji_name} anyone
GET /realm/profile_fields anyone
POST /realm/profile_fields administrator
PATCH /realm/profile_fields administrator
GET /realm/linkifiers anyone
PATCH /realm/linkifiers administrator
POST /realm/filters administrator
PATCH /realm/filters/{filter_id} administrator
DELETE /realm/filters/{filter_id} administrator
POST /realm/playgrounds administrator
DELETE /realm/playgrounds/{playground_id} administrator

# Invitations, exports, push tokens
GET /invites member
POST /invites anyone
DELETE /invites/{invite_id} anyone
POST /invites/multiuse anyone
DELETE /invites/multiuse/{invite_id} anyone
GET /export/realm administrator
POST /export/realm administrator
GET /export/realm/consents administrator
POST /users/me/apns_device_token anyone
DELETE /users/me/apns_device_token anyone
POST /users/me/android_gcm_reg_id anyone
DELETE /users/me/android_gcm_reg_id anyone
`

/** What the reference does not document and its clients call. */
const otherRows = `
PATCH /realm administrator
POST /submessage anyone
PATCH /users/me/profile_data anyone
DELETE /users/me/profile_data anyone
PATCH /realm/profile_fields/{field_id} administrator
DELETE /realm/profile_fields/{field_id} administrator
PATCH /settings/notifications anyone
PATCH /settings/display anyone
GET /users/{email}/presence anyone
POST /users/me/api_key/regenerate anyone

# Bots
GET /bots member
POST /bots member
PATCH /bots/{bot_id} anyone
DELETE /bots/{bot_id} anyone
POST /bots/{bot_id}/api_key/regenerate anyone
POST //json/bots member
GET /bot_storage anyone
PUT /bot_storage anyone
DELETE /bot_storage anyone

# Pictures
POST /users/me/avatar anyone
DELETE /users/me/avatar anyone
GET //avatar/{user} anyone
GET //avatar/{user}/medium anyone
GET /realm/icon anyone
POST /realm/icon administrator
DELETE /realm/icon administrator
GET /realm/logo anyone
POST /realm/logo administrator
DELETE /realm/logo administrator

# The organization
GET /realm/domains anyone
POST /realm/domains owner
PATCH /realm/domains/{domain} owner
DELETE /realm/domains/{domain} owner
POST /realm/deactivate owner
POST /invites/{invite_id}/resend anyone
DELETE /export/realm/{export_id} administrator

# Other
POST /users/me/onboarding_steps anyone
POST /zcommand anyone
PATCH /users/me/subscriptions/{stream_id} anyone
POST /default_stream_groups/create administrator
PATCH /default_stream_groups/{group_id} administrator
DELETE /default_stream_groups/{group_id} administrator
PATCH /default_stream_groups/{group_id}/streams administrator
POST /calls/zoom/create anyone
POST /calls/nextcloud_talk/create anyone
POST /calls/constructorgroups/create anyone
POST /jwt/fetch_api_key visitor
GET /dev_list_users visitor

# Files
GET //user_uploads/download/{realm_id}/{filename} anyone
GET //user_uploads/thumbnail/{realm_id}/{filename} anyone
GET //user_uploads/temporary/{token}/{filename} visitor
POST /tus anyone
HEAD /tus/{upload} anyone
PATCH /tus/{upload} anyone
`

export interface ReferenceOperation {
  method: string
  path: string
  who: string
}

const read = (rows: string): ReferenceOperation[] =>
  rows
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => {
      const [method, path, who] = row.split(' ') as [string, string, string]
      return { method, path, who }
    })

export const documented = read(documentedRows)
export const others = read(otherRows)
