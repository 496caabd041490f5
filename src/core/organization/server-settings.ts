import { areSpectatorsAdmitted } from '../access/spectators.ts'
import { publicAction } from '../kernel/action.ts'
import { API_VERSION } from '../kernel/base/limits.ts'
import { none } from '../kernel/fields.ts'
import { sendsMail } from '../mail/mail-service.ts'
import { settingsOf } from '../settings/organization.ts'
import { serverSettingsShape } from '../shapes/server-settings.ts'
import { picturesView } from './pictures.ts'

/**
 * GET /server_settings: returns public information about the server. No sign-in.
 *
 * @throws BAD_REQUEST for invalid parameters; it needs no account
 */
export const getServerSettings = publicAction(
  { name: 'getServerSettings', summary: 'Get server settings', params: none, result: serverSettingsShape },
  async (visitor) => {
    // A server may be running before it has an organization.
    const { name, description } = await settingsOf(visitor)
    return {
      authentication_methods: {
        password: true,
        email: true,
        ldap: false,
        dev: false,
        remoteuser: false,
        github: false,
        google: false,
        apple: false,
        gitlab: false,
        azuread: false,
        saml: false,
        'openid connect': false,
      },
      zulip_version: API_VERSION,
      zulip_merge_base: API_VERSION,
      zulip_feature_level: visitor.chat.options.featureLevel,
      push_notifications_enabled: visitor.chat.options.pushService !== '',
      is_incompatible: false,
      email_auth_enabled: true,
      sends_email: sendsMail(visitor.chat),
      require_email_format_usernames: true,
      realm_url: visitor.origin,
      realm_uri: visitor.origin,
      realm_name: name,
      realm_icon: (await picturesView(visitor)).icon_url,
      realm_description: description,
      realm_web_public_access_enabled: await areSpectatorsAdmitted(visitor),
      external_authentication_methods: [],
    }
  },
)
