import { limitsWith } from '../../kernel/base/limits.ts'

export const { pinsPerChannel } = limitsWith()

/** A pinned message of a source. */
interface Pin {
  message_id: string
  pinned_at: number
  place: string
}

/** Decides about a pin. Returns the one that is left out for it: itself, an older one, or none while there is room. */
export type PinChoice = (channel: string, pin: Pin) => Pin | undefined

/**
 * Finds the newest pins of each channel. Messages come in any order, so a first pass over the source gathers them, and
 * only a second one knows which stay.
 */
export function newestPins(): { gather: PinChoice; choose: PinChoice } {
  const byChannel = new Map<string, Pin[]>()
  return {
    gather(channel, pin) {
      const pins = byChannel.get(channel) ?? []
      byChannel.set(channel, pins)
      const later = pins.findIndex((other) => other.pinned_at > pin.pinned_at)
      pins.splice(later === -1 ? pins.length : later, 0, pin)
      return pins.length > pinsPerChannel ? pins.shift() : undefined
    },
    choose(channel, pin) {
      const stays = byChannel.get(channel)?.some(({ message_id }) => message_id === pin.message_id)
      return stays ? undefined : pin
    },
  }
}
