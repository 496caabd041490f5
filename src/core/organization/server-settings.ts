import { areSpectatorsAdmitted } from '../access/spectators.ts'
import { relyingPartyOf } from '../accounts/passkeys/relying-party.ts'
import { providersOf } from '../accounts/providers/all-providers.ts'
import { isRequired } from '../accounts/providers/config.ts'
import { externalMethod, proxyMethod } from '../accounts/providers/external-method.ts'
import { signOnOf } from '../accounts/providers/sign-on.ts'
import { signsUp } from '../accounts/sign-up/request.ts'
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
    const { name, description, accent_color } = await settingsOf(visitor)
    const pictures = await picturesView(visitor)
    const signOn = signOnOf(visitor.chat)
    const providers = [...(await providersOf(visitor)).values()].map(({ config }) => config)
    const proxy = signOn?.proxy
    const hasDirectory = signOn?.directory !== undefined
    const types = providers.map(({ type }) => type)
    // Emergency accounts sign in on the page.
    const passwords = signOn?.passwords !== 'break_glass' && !providers.some((one) => isRequired(one))
    return {
      authentication_methods: {
        password: passwords || hasDirectory,
        email: passwords,
        ldap: hasDirectory,
        dev: false,
        remoteuser: proxy !== undefined,
        github: types.includes('github'),
        google: false,
        apple: false,
        gitlab: false,
        azuread: false,
        saml: false,
        'openid connect': types.includes('oidc'),
      },
      zulip_version: API_VERSION,
      zulip_merge_base: API_VERSION,
      zulip_feature_level: visitor.chat.options.featureLevel,
      push_notifications_enabled: visitor.chat.options.pushService !== '',
      is_incompatible: false,
      email_auth_enabled: passwords,
      sends_email: await sendsMail(visitor),
      passkeys: relyingPartyOf(visitor.chat) !== undefined,
      sign_up_enabled: passwords && (await signsUp(visitor)),
      // A directory has names for people besides their addresses.
      require_email_format_usernames: !hasDirectory,
      realm_url: visitor.origin,
      realm_uri: visitor.origin,
      realm_name: name,
      realm_icon: pictures.icon_url,
      realm_logo: pictures.logo_source === 'U' ? pictures.logo_url : null,
      realm_night_logo: pictures.night_logo_source === 'U' ? pictures.night_logo_url : null,
      realm_accent_color: accent_color,
      realm_description: description,
      realm_web_public_access_enabled: await areSpectatorsAdmitted(visitor),
      external_authentication_methods: [
        ...(proxy ? [proxyMethod(visitor, proxy)] : []),
        ...providers.map((config) => externalMethod(visitor, config)),
      ],
    }
  },
)
