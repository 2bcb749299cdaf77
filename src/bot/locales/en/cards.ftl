# Cards, in English.

card-more-settings = ⚙️ <b>More</b>
card-models = <b>Which model?</b>
button-model = 🎛 Model
button-copy-text = 📋 Copy the text
button-keep-text = ✅ Keep this text
label-whose = { $name }: { $label }
button-reset = ↺ Reset settings
settings-reset = All settings are back to their defaults
card-short = You’re { $missing } short. Top up, and this card comes back ready to go.
card-presets = <b>Which preset?</b> The prompt and the files stay.
card-not-offered-now = This model isn’t on sale right now.
button-presets = 📌 Presets
button-as-last-time = ↻ Same as last time
button-save-preset = ➕ Save as a preset
typed-on-foreign-card = That setting is on somebody else’s card, and only they can change it. Nothing was changed or charged.
typed-no-value = There is no such option on this card, so nothing was changed or charged. Tap a button on the card, or write another value.
settings-taken = Done: the settings are on the card

## Presets

preset-name = Name of the preset? Up to { $max } characters.
preset-saved = 📌 Saved as “{ $name }”. Find it under “Presets” on any card of this model, or in /presets.
preset-too-many = You already have { $most } presets. Delete one in /presets and save again.
presets = <b>Your presets</b>
presets-none =
    You have no presets yet.

    Set up any card, then tap “📌 Presets” and “➕ Save as a preset”.
preset-title = 📌 <b>{ $name }</b> · { $model }
preset-defaults = All settings are at their defaults.
button-use-preset = ▶️ Use it
button-delete-preset = 🗑 Delete

## A prompt that the model does not take

refusal-needs-english = This model understands English only. Write it in English.
unfit-too-many-tokens =
    ⚠️ Too long for this model: about { $tokens } tokens by our estimate, at most { $max }. { $offer ->
        [yes] Shorten the text with the button or yourself; another model may take all of it.
       *[no] Shorten it, or choose another model.
    } Your text is kept.
unfit-needs-english = ⚠️ { $name } understands English only. Tap “Prompt” and send it in English, or choose another model: your text is kept.
unfit-too-long = ⚠️ Too long for this: { $length } characters, at most { $max }. Shorten it, or change back what you changed: your text is kept.
refusal-too-many-speakers = More than two speakers ({ $names }), and this model has two voices. Keep two names and send it again; a text without names is read by one voice.
refusal-too-many-turns = This dialogue has { $length } lines, at most { $max } fit. Shorten it, or order it in parts.
unfit-too-many-turns = ⚠️ This dialogue has { $length } lines, at most { $max } fit. Tap “Script” and send a shorter one: your text is kept.
unfit-too-many-speakers = ⚠️ More than two speakers ({ $names }), and this model has two voices. Tap “Script” and send it with two names, or without names for one voice: your text is kept.
ask-corrected =
    <b>{ $label }</b>
    { $why }
unfit-other = ⚠️ { $name } can’t use this text. Write another one, or choose another model: your text is kept.
model-replaced = ⚠️ { $off } isn’t available right now, so this is { $name }. Check the price.

parameters-taken = ⚙️ I took these settings from your words: { $settings }.
parameters-prompt-changed = The prompt has changed since. Edit it on the card.
button-parameters-words = That’s part of the prompt
sample-gone = The sample can’t be played right now. Choose the voice and try it on a short text.
