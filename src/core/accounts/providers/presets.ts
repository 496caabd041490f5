/** What a kind of identity provider needs besides an issuer and a client. */
export interface Preset {
  display_name: string
  /** Missing where each customer has their own. */
  issuer?: string
  /** Shape of the issuer, and how to write it. */
  issuer_form?: { pattern: RegExp; example: string }
  scopes: readonly string[]
  /** Names of claims that differ from the standard's. */
  claims?: { subject?: string; email_verified?: string; groups?: string }
  /** Fetches the person with GitHub's own API instead of OpenID Connect. */
  type?: 'github'
}

const standard = ['openid', 'email', 'profile'] as const

/** The providers whose particulars we know, by the `preset` of the file. */
export const presets = {
  google: { display_name: 'Google', issuer: 'https://accounts.google.com', scopes: standard },
  entra: {
    display_name: 'Microsoft',
    // The addresses `common`, `organizations` and `consumers` would admit people of every tenant.
    issuer_form: {
      pattern: /^https:\/\/login\.microsoftonline\.(?:com|us)\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/v2\.0$/i,
      example: 'https://login.microsoftonline.com/TENANT_ID/v2.0',
    },
    scopes: standard,
    // `sub` differs for each application. The object ID stays, and belongs to the tenant in the issuer.
    claims: { subject: 'oid', email_verified: 'xms_edov', groups: 'groups' },
  },
  gitlab: {
    display_name: 'GitLab',
    issuer: 'https://gitlab.com',
    scopes: standard,
    claims: { groups: 'groups_direct' },
  },
  keycloak: {
    display_name: 'Keycloak',
    issuer_form: { pattern: /\/realms\/[^/]+$/, example: 'https://id.example.com/realms/main' },
    scopes: standard,
    claims: { groups: 'groups' },
  },
  authentik: {
    display_name: 'authentik',
    issuer_form: { pattern: /\/application\/o\/[^/]+\/$/, example: 'https://id.example.com/application/o/chat/' },
    scopes: standard,
    claims: { groups: 'groups' },
  },
  zitadel: {
    display_name: 'ZITADEL',
    scopes: [...standard, 'urn:zitadel:iam:org:projects:roles'],
    claims: { groups: 'urn:zitadel:iam:org:project:roles' },
  },
  okta: { display_name: 'Okta', scopes: [...standard, 'groups'], claims: { groups: 'groups' } },
  github: { display_name: 'GitHub', issuer: 'https://github.com', scopes: ['read:user', 'user:email'], type: 'github' },
} as const satisfies Readonly<Record<string, Preset>>

export const presetNames = Object.keys(presets) as (keyof typeof presets)[]
