import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/**
 * Creates a function that looks a name up for a connection, which then goes to an address that was checked. Later DNS
 * answers don't matter.
 *
 * @param refuse - returns the error for a name with an address outside the public Internet; without it, all are allowed
 */
export const checkedLookup =
  (refuse: ((host: string) => Error) | undefined): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, [])
      if (refuse && !addresses.every(({ address }) => isPublicAddress(address))) return callback(refuse(host), [])
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      callback(null, first!.address, first!.family)
    })
  }
