import test from 'node:test'
import { randomSteps } from '../dialect.ts'
import { rounds } from '../rounds.ts'
import { type Step, walk } from './read-model.ts'

const STEPS = randomSteps(rounds({ short: 400, full: 1200 }))
const reading: Step[] = ['say', 'say', 'say', 'sayOwn', 'read', 'read', 'unread', 'readStream', 'readTopic', 'readAll']

for (const seed of [1, 2, 3]) {
  test(`ranges behave like a flag on each message and merge where they touch (seed ${seed})`, (t) => {
    t.diagnostic(`seed ${seed}, ${STEPS} steps`)
    return walk(seed, STEPS, reading.slice(0, 9))
  })
}

for (const seed of [4, 5, 6, 7]) {
  test(`joining, leaving, deleting and moving preserve read and unread messages (seed ${seed})`, (t) => {
    t.diagnostic(`seed ${seed}, ${STEPS} steps`)
    return walk(seed, STEPS, [...reading, 'say', 'say', 'read', 'delete', 'move', 'move', 'join', 'join', 'leave'])
  })
}
