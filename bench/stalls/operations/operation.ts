import type { World } from '../../../src/testing/world.ts'

/** A single request, or work of the server, that affects or answers very many rows. */
export interface Operation {
  name: string
  /** The name of the API action. */
  action?: string
  /** The requests of another person while it runs; a small write unless given. */
  probe?: ((w: World) => readonly (() => Promise<unknown>)[]) | undefined
  /** Prepares a world at a share of its largest size, and returns the function that runs the operation. */
  prepare(w: World, share: number): Promise<() => Promise<unknown>>
}

/** A part of the largest number, at least 1. */
export const of = (share: number, largest: number): number => Math.max(1, Math.round(largest * share))
