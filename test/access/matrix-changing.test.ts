import { at, testWays } from './matrix.ts'

testWays([
  { name: 'edit it', ask: (who, id) => who.api.patch(`/messages/${id}`, {}) },
  {
    name: 'change what it says',
    ask: (who, id) => who.api.patch(`/messages/${id}`, { content: 'x' }),
    not: ['hamlet'],
  },
  {
    name: 'move it',
    ask: (who, id) => who.api.patch(`/messages/${id}`, { stream_id: 999_999 }),
  },
  { name: 'delete it', ask: (who, id) => who.api.delete(`/messages/${id}`), not: ['iago', 'admin'] },
  { name: 'react to it', ask: (who, id) => who.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }) },
  {
    name: 'take a reaction off',
    ask: (who, id) => who.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
  },
  {
    name: 'attach to it',
    ask: (who, id) => who.api.post('/submessage', { message_id: id, msg_type: 'x', content: '{}' }),
    not: ['hamlet'],
  },
  {
    name: 'star it',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
  },
  { name: 'report it', ask: (who, id) => who.api.post(`/messages/${id}/report`, { report_type: 'spam' }) },
  {
    name: 'be reminded of it',
    ask: (who, id) => who.api.post('/reminders', { message_id: id, scheduled_delivery_timestamp: 4_000_000_000 }),
  },
  {
    name: 'mark it unread',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }),
  },
  {
    name: 'mark it read',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
  },
  {
    name: 'flag it by a narrow',
    ask: (who, id) =>
      who.api.post('/messages/flags/narrow', {
        ...at(id),
        narrow: [{ operator: 'id', operand: id }],
        op: 'add',
        flag: 'collapsed',
      }),
    reveals: (answer) => answer.processed_count > 0,
  },
])
