/**
 * Names that clients of the API use and the `gemoji` package lacks or gives to another emoji.
 * One line per emoji: its code, then its names, the canonical one first. A name here wins over the same name there.
 */
export const apiNames = `
1f600 grinning happy
1f603 smiley
1f604 big_smile
1f601 grinning_face_with_smiling_eyes
1f606 laughing lol
1f605 sweat_smile
1f602 joy tears laughter_tears
1f923 rolling_on_the_floor_laughing rofl
1f642 smile slight_smile
1f643 upside_down oops
1f609 wink
1f60a blush
1f607 innocent halo
1f60d heart_eyes in_love
1f618 heart_kiss blow_a_kiss
1f60b yum
1f61b stuck_out_tongue mischievous
1f61c stuck_out_tongue_wink joking
1f911 money_face kaching
1f917 hug arms_open
1f914 thinking
1f910 silence quiet hush zip_it lips_sealed
1f610 neutral
1f611 expressionless
1f636 speechless no_mouth
1f60f smirk
1f612 unamused
1f644 rolling_eyes
1f62c grimacing nervous anxious
1f925 lying
1f60c relieved
1f614 pensive
1f62a sleepy
1f924 drooling
1f634 sleeping
1f912 sick
1f915 hurt
1f60e cool
1f913 nerd geek
1f615 confused
1f61f worried
1f641 frown slight_frown
2639 sad
1f62e open_mouth surprise
1f62f hushed whoa
1f632 astonished
1f633 flushed embarrassed
1f626 frowning
1f627 anguished
1f628 fear scared shock
1f630 cold_sweat
1f625 exhausted
1f622 cry
1f62d sob
1f631 scream
1f616 confounded agony
1f623 persevere helpless
1f61e disappointed
1f613 sweat
1f629 weary
1f624 triumph
1f621 rage
1f620 angry
1f608 smiling_devil
1f47f devil
1f480 skull
1f4a9 poop
1f921 clown
1f916 robot
1f47d alien
1f44d +1 thumbs_up
1f44e -1 thumbs_down
1f44c ok
1f44b wave
1f64c raised_hands praise
1f64f pray
1f44f clap applause
1f4aa muscle
270b hand
1f91d handshake
1f91e fingers_crossed
270c peace_sign victory
1f918 rock_on
1f919 call_me
1f446 point_up
1f447 point_down
1f448 point_left
1f449 point_right
1f64b raising_hand
1f440 eyes looking
2764 heart love
1f494 broken_heart
1f495 two_hearts
2705 check all_good approved
2714 check_mark
274c cross_mark incorrect wrong
2753 question
2757 exclamation
1f4af 100 hundred
1f525 fire
1f389 tada
1f6e0 working_on_it hammer_and_wrench tools
23f3 time_ticking
231b time_up
1f697 car
2708 airplane
1f354 hamburger
1f419 octopus
1f680 rocket
1f937 shrug
1f926 facepalm
1f6a7 construction
1f41b bug
2b50 star
1f31f glowing_star
1f381 gift present
1f382 birthday
1f37a beer
1f37b beers
2615 coffee
1f355 pizza
1f4dd memo note
1f512 locked
1f513 unlocked
1f511 key
1f4a1 light_bulb bulb idea
1f50d search
1f517 link
26a0 warning caution
1f6d1 octagonal_sign
1f4cc push_pin
1f4c8 chart_increasing
1f4c5 calendar
1f4ac speech_bubble
1f308 rainbow
26a1 high_voltage zap
1f984 unicorn
1f4a5 boom
1f3e0 house
1f507 mute
1f327 rainy
2600 sunny
`

/** What a message may say in punctuation when its sender has asked for emoticons to be translated. */
export const emoticons: Readonly<Record<string, string>> = {
  ':)': '1f642',
  '(:': '1f642',
  ':(': '1f641',
  '<3': '2764',
  ':|': '1f610',
  ':/': '1f615',
  ';)': '1f609',
  ':D': '1f600',
  ':P': '1f61b',
  ':p': '1f61b',
  ':o': '1f62e',
  ':O': '1f62e',
}
