import type { World } from '../../../src/testing/world.ts'

/** A single request, or work of the server, that affects or answers very many rows. */
export interface Operation {
  name: string
  /** The operation of the API that it is, by its name there. */
  action?: string
  /** Prepares a world for it, at a fraction of its largest size, and returns the function that does it. */
  prepare(w: World, share: number): Promise<() => Promise<unknown>>
}

/** A part of the largest number, at least 1. */
export const of = (share: number, largest: number): number => Math.max(1, Math.round(largest * share))
