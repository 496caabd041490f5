import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { textIn } from '../action-form.tsx'

type List = Awaited<ReturnType<Session['client']['listSignOnProviders']>>
export type Provider = List['providers'][number]
export type Preset = List['presets'][number]
export type Trial = Awaited<ReturnType<Session['client']['testSignOnProvider']>>

/** Members that have a field of their own. */
const fields = new Set([
  'preset',
  'issuer',
  'client_id',
  'display_name',
  'trusted_domains',
  'trust_all_domains',
  'create',
  'second_factor',
  'required_for',
  'break_glass',
])
/** Values that are there without being given. */
const defaults = new Set(['{}', '[]', 'false', '["groups","role"]'])

export const DEFAULT_NAME = 'sso'
export const EXAMPLE_ISSUER = 'https://id.example.com'
export const EXAMPLE_MEMBERS = '{"groups": {"staff": "Staff"}}'

export const nameIn = (data: FormData): string => textIn(data, 'name') || textIn(data, 'preset') || DEFAULT_NAME

/** The secret that was typed; undefined keeps the stored one. */
export const secretIn = (data: FormData): string | undefined => textIn(data, 'client_secret') || undefined

/** Returns the members of a provider as a form has them. Throws if the other members aren't a JSON object. */
export function membersIn(data: FormData): Record<string, unknown> {
  const given = (name: string) => {
    const value = textIn(data, name)
    return value === '' ? {} : { [name]: value }
  }
  return {
    ...objectIn(textIn(data, 'more')),
    ...given('preset'),
    ...given('issuer'),
    ...given('client_id'),
    ...given('display_name'),
    trusted_domains: listIn(data, 'trusted_domains'),
    required_for: listIn(data, 'required_for'),
    break_glass: listIn(data, 'break_glass'),
    ...(data.get('trust_all_domains') === 'on' && { trust_all_domains: true }),
    create: data.get('create') === 'on' ? 'allowed_domains' : 'never',
    second_factor: data.get('second_factor') === 'on' ? 'provided' : 'ask',
  }
}

const listIn = (data: FormData, name: string): string[] =>
  textIn(data, name)
    .split(/[\s,;]+/)
    .filter(Boolean)

function objectIn(text: string): object {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The same sentence as for a list.
  }
  throw new Error(pageTexts.providers.badJson)
}

/** Returns the members without a field, as JSON to edit. Those that say nothing are left out. */
export function othersOf({ provider }: Provider): string {
  const others = Object.entries(provider).filter(
    ([name, value]) => !fields.has(name) && !defaults.has(JSON.stringify(value)),
  )
  return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2)
}
