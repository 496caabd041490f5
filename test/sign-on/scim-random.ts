import { picker, seeded } from '../random.ts'

const names = [
  ...['userName', 'externalId', 'active', 'displayName', 'name', 'name.formatted', 'name.givenName', 'roles', 'role'],
  ...['emails', 'emails[type eq "work"].value', 'id', 'meta', 'password', '__proto__', 'constructor', 'toString', ''],
  ...['urn:ietf:params:scim:schemas:core:2.0:User:active', 'a.b.c', '[', 'members[value eq "1"]'],
]
const scalars = [
  ...[null, true, false, 0, -1, 1e308, '', ' ', 'True', 'owner', 'member', 'x@example.com', 'x@example.com\n', '\0'],
  ...['\ud800', 'a'.repeat(2000), '*', '**Ann**', '@all', '<script>', '../../', [], {}, [[]], { value: null }, [null]],
]

/** Returns a function that makes a request which an identity provider wouldn't send. */
export function randomOf(seed: number): (id: string) => [method: string, path: string, document: unknown] {
  const random = seeded(seed)
  const pick = picker(random)
  const value = (depth = 0): unknown => {
    const kind = random()
    if (depth > 2 || kind < 0.6) return pick(scalars)
    if (kind < 0.8) return Array.from({ length: Math.floor(random() * 3) }, () => value(depth + 1))
    return Object.fromEntries(Array.from({ length: 3 }, () => [pick(names), value(depth + 1)]))
  }
  const operation = (): unknown =>
    random() < 0.1
      ? value()
      : { op: pick(['add', 'Replace', 'remove', 'x', 1]), path: pick([...names, undefined, 1]), value: value() }
  return (id) => {
    const method = pick(['POST', 'PUT', 'PATCH', 'PATCH'])
    const path = method === 'POST' ? '/Users' : `/Users/${pick([id, id, '0', '99999999999999999999'])}`
    if (method !== 'PATCH')
      return [method, path, random() < 0.2 ? value() : { userName: 'ann@example.com', [pick(names)]: value() }]
    return [method, path, { Operations: random() < 0.1 ? value() : [operation(), operation()] }]
  }
}
