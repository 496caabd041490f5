// What is tested here: a bot that answers in the topic where it is asked. It speaks the API over HTTP.
export async function answerOnce({ url, authorization }, message) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${url}/api/v1/messages`, {
      method: 'POST',
      // The same key for each attempt: a message whose answer was lost is not sent twice.
      headers: { authorization, 'idempotency-key': `answer-to-${message.id}` },
      body: new URLSearchParams({
        type: 'stream',
        to: message.display_recipient,
        topic: message.subject,
        content: `You said: ${message.content}`,
      }),
    }).catch(() => undefined)
    if (answer?.ok) return answer.json()
    if (attempt === 5) throw new Error('the server did not answer')
  }
}
