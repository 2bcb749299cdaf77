# Cards, in English.

card-more-settings = <b>More settings</b>
card-models = <b>Which model?</b>
button-model = 🎛 Model
button-copy-text = 📋 Copy the text
button-keep-text = ✅ Keep this text
label-whose = { $name }: { $label }
button-reset = ↺ Reset settings
settings-reset = All settings are back to their defaults
card-short = You’re { $missing } short. Top up, and this card comes back ready to go.
card-presets = <b>Which settings?</b> The prompt and the files stay.
card-not-offered-now = This model is not on sale right now.
button-presets = ⭐ Presets
button-as-last-time = ↻ Same as last time
button-save-preset = ➕ Save these settings
typed-on-foreign-card = This setting is on somebody else’s card: only that person can change it, so nothing was changed or charged.
typed-no-value = There is no such option on this card, so nothing was changed or charged. Tap a button on the card, or write another value.
typed-options = It takes: { $options }
settings-taken = Done: the settings are on the card

## Presets

preset-name = What shall these settings be called? Send a name of up to { $max } characters.
preset-saved = ⭐ Saved as “{ $name }”. Find it under “Presets” on any card of this model, or in /presets.
preset-too-many = You already have { $most } presets. Delete one in /presets and save again.
presets = <b>Your presets</b>
presets-none =
    You have no presets yet.

    Set up any card, then tap “⭐ Presets” and “Save these settings”.
preset-title = ⭐ <b>{ $name }</b> · { $model }
preset-defaults = All settings are the usual ones.
button-use-preset = ▶️ Use it
button-delete-preset = 🗑 Delete

## A prompt that the model does not take

refusal-needs-english = This model understands English only. Write it in English.
unfit-too-many-tokens =
    ⚠️ Too long for this model: about { $tokens } tokens by our estimate, at most { $max }. { $offer ->
        [yes] Shorten the text with the button or by yourself; another model may take all of it.
       *[no] Shorten it, or choose another model.
    } Your text is kept.
unfit-needs-english = ⚠️ { $name } understands English only. Tap “Prompt” and send it in English, or choose another model: your text is kept.
unfit-too-long = ⚠️ Too long for this: { $length } characters, at most { $max }. Shorten it, or change back what you changed: your text is kept.
refusal-too-many-speakers = More than two speakers ({ $names }), and this model has two voices. Keep two names and send it again; a text without names is read by one voice.
unfit-too-many-speakers = ⚠️ More than two speakers ({ $names }), and this model has two voices. Tap “Text or dialogue” and send it with two names, or without names for one voice: your text is kept.
ask-corrected =
    <b>{ $label }</b>
    { $why }
unfit-other = ⚠️ { $name } does not take this text as it is. Write another one, or choose another model: your text is kept.
model-replaced = ⚠️ { $off } is not available right now, so this is { $name }. Mind the price.

parameters-taken = ⚙️ Taken from your words as settings: { $settings }.
parameters-prompt-changed = The prompt has changed since. Edit it on the card.
button-parameters-words = They belong to the prompt
