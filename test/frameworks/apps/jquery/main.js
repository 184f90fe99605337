import $ from 'jquery';

/** Frequent questions and a survey, as they were written for twenty years: delegated events, effects, deferreds, data on elements. */
const questions = [
  { id: 'pay', title: 'How do I pay?', text: 'By card or by invoice.', votes: 2 },
  { id: 'send', title: 'How long does it take?', text: 'Three days, a week abroad.', votes: 5 },
  { id: 'back', title: 'Can I return it?', text: 'Within thirty days.', votes: 1 },
];

const $root = $('#root').html(`
  <h1>Questions</h1>
  <input type="search" id="search" aria-label="Search">
  <button id="order">Most helpful first</button>
  <div id="list"></div>
  <form id="survey">
    <fieldset><legend>Was this helpful?</legend>
      <label><input type="radio" name="helpful" value="yes"> Yes, it was</label>
      <label><input type="radio" name="helpful" value="no"> No, it was not</label>
    </fieldset>
    <label>Remark <textarea name="remark"></textarea></label>
    <button>Send answer</button>
  </form>
  <p role="status" id="out"></p>
  <button id="more">More questions</button>`);

function add({ id, title, text, votes }) {
  $('<article>')
    .data({ id, votes })
    .append($('<h2>').append($('<button class="open" aria-expanded="false">').text(title)))
    .append($('<div class="text">').text(text).hide())
    .append($('<button class="vote">').text(`Helpful: ${title} (${votes})`))
    .appendTo('#list');
}
questions.forEach(add);

$root
  .on('click', '.open', function open() {
    const $text = $(this).closest('article').find('.text');
    $(this).attr('aria-expanded', String(!$text.is(':visible')));
    $text.slideToggle(200);
  })
  .on('click', '.vote', function vote() {
    const $article = $(this).closest('article');
    $article.data('votes', $article.data('votes') + 1);
    $(this).text(`Helpful: ${$article.find('.open').text()} (${$article.data('votes')})`);
  })
  .on('input', '#search', function search() {
    const wanted = $(this).val().toLowerCase();
    $('article').each(function show() {
      $(this).toggle($(this).text().toLowerCase().includes(wanted));
    });
  });

$('#order').on('click', () => {
  const $sorted = $('article')
    .get()
    .toSorted((one, other) => $(other).data('votes') - $(one).data('votes'));
  $('#list').append($sorted);
});

$('#survey').on('submit', function send(event) {
  event.preventDefault();
  const { helpful, remark } = Object.fromEntries(new FormData(this));
  if (helpful === undefined) return void $('#out').text('Choose yes or no.');
  const sent = $.Deferred();
  setTimeout(() => sent.resolve(`Thank you: ${helpful}${remark === '' ? '' : `, ${remark}`}`), 100);
  $('#out').text('Sending…');
  return void sent.then(text => {
    $('#out').text(text).fadeOut(0).fadeIn(100);
    this.reset();
  });
});

$('#more').one('click', function more() {
  $.getJSON('/more.json').done(all => {
    all.forEach(add);
    $(this).remove();
  });
});
