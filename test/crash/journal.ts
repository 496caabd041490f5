import type { Person } from './client.ts'

export interface Sent {
  sender: Person
  local_id: string
  content: string
  /** The message's id, once that was acknowledged. */
  id?: number
}

/** What the clients know: what they requested and what was acknowledged. */
export class Journal {
  readonly sent: Sent[] = []
  readonly acknowledged: Sent[] = []
  /** By "user message emoji": whether the user's reaction should be there. */
  readonly reactions = new Map<string, boolean>()
  readonly read = new Map<Person, Set<number>>()
  /** Changes whose answer was lost, and that were requested again. */
  repeated = 0
  readonly complaints: string[] = []
  #next: (() => void)[] = []

  acknowledge(sent: Sent, id: number): void {
    sent.id = id
    this.acknowledged.push(sent)
    for (const tell of this.#next.splice(0)) tell()
  }
  /** Resolves with the next acknowledgement. */
  nextAcknowledgement(): Promise<void> {
    return new Promise((resolve) => this.#next.push(resolve))
  }
  complain(text: string): void {
    if (this.complaints.length < 20) this.complaints.push(text)
  }
}
