import * as v from 'valibot'
import { roleNames } from '../../kernel/roles.ts'

/** The group of everybody who signs in this way. */
export const EVERYBODY = '*'

const text = v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty'), v.maxLength(2000, 'is too long'))
export const trustedDomain = v.pipe(
  text,
  v.toLowerCase(),
  v.regex(/^(?:\*|(?:[a-z0-9-]+\.)*[a-z0-9-]+)$/, 'must be a domain such as example.com, or "*"'),
)
const mapOf = <const V extends v.GenericSchema>(value: V) => v.optional(v.record(text, value), {})

/** Members of a sign-on file that decide which account a person gets after signing in elsewhere. */
export const accountRules = {
  display_name: v.optional(text),
  create: v.optional(v.picklist(['never', 'allowed_domains'], 'must be "never" or "allowed_domains"'), 'never'),
  groups: mapOf(text),
  roles: mapOf(v.picklist(roleNames, `must be one of ${roleNames.join(', ')}`)),
  channels: mapOf(v.array(text)),
  sync: v.optional(
    v.array(v.picklist(['name', 'picture', 'groups', 'role'], 'may have name, picture, groups and role')),
    ['groups', 'role'],
  ),
  second_factor: v.optional(v.picklist(['ask', 'provided'], 'must be "ask" or "provided"'), 'ask'),
}

type Given = v.InferOutput<v.ObjectSchema<typeof accountRules, undefined>>

/** Which account a person gets after signing in elsewhere, and what each sign-in changes there. */
export interface AccountRules extends Omit<Given, 'display_name'> {
  /** Stored with each account that signs in this way. */
  readonly name: string
  readonly display_name: string
  /** Domains whose addresses this source may vouch for. */
  readonly trusted_domains: readonly string[]
  readonly require?: { readonly any: readonly string[] } | undefined
  /**
   * Whether an owner set it up in the page. It then can't do what owners can't do: bring people into private channels of
   * others, or sign in as another owner because it vouches for every address.
   */
  readonly is_from_page?: true
}
