import test from 'node:test'
import { randomSteps } from '../dialect.ts'
import { type Step, walk } from './read-model.ts'

const reading: Step[] = ['say', 'say', 'say', 'sayOwn', 'read', 'read', 'unread', 'readStream', 'readTopic', 'readAll']

for (const seed of [1, 2, 3]) {
  test(`ranges say what a mark on each message would, and merge where they touch (seed ${seed})`, () =>
    walk(seed, randomSteps(1200), reading.slice(0, 9)))
}

for (const seed of [4, 5, 6, 7]) {
  test(`joining, leaving, deleting and moving change nothing that was read or unread (seed ${seed})`, () =>
    walk(seed, randomSteps(1000), [
      ...reading,
      'say',
      'say',
      'read',
      'delete',
      'move',
      'move',
      'join',
      'join',
      'leave',
    ]))
}
